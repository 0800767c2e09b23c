"""Names, addresses and the `ip -batch` texts of a lab. Pure: nothing here touches the machine."""
from dataclasses import dataclass

MAX_NODES = 64
VXLAN_PORT = 8472
MTU = 1500
VXLAN_BYTES = 50
TCP_BYTES = 60  # headers of IPv6 and TCP; what a segment size leaves out
LAUNCHER_PORTS = (24000, 25999)  # of what mpirun and MPI listen on; below the ephemeral ones
OVERLAY_MTU = MTU - VXLAN_BYTES
# bbr hides 2 % loss and kernels differ in their default. Routes can ask for any algorithm that the
# kernel has; the sysctl of a new network namespace takes only those its administrator allowed.
CONGESTION_CONTROL = "cubic"
CONGESTION_SYSCTL = "net/ipv4/tcp_congestion_control"
CONGESTION_FALLBACK = "reno"  # for what no lab route carries; every kernel allows it
V6 = "fd6e:6c"  # a ULA prefix; nothing outside the lab ever sees it

MODES = ("host", "overlay", "multus")


@dataclass(frozen=True)
class Interface:
    name: str
    kind: str
    address4: str
    prefix4: int
    address6: str
    prefix6: int


def node_name(k: int) -> str:
    return f"node{k}"


def pod_name(k: int) -> str:
    return f"pod{k}"


def port(k: int) -> str:
    """The switch's port towards node k, in the lab's outer namespace."""
    return f"sw{k}"


def host_names(nodes: int) -> list[str]:
    return [f(k) for f in (node_name, pod_name) for k in range(1, nodes + 1)]


def node_eth0(k: int) -> Interface:
    return Interface("eth0", "veth", f"10.70.0.{k}", 24, f"{V6}:0:70::{k:x}", 64)


def node_cni0(k: int) -> Interface:
    return Interface("cni0", "bridge", f"10.71.{k}.1", 24, f"{V6}:71:{k:x}::1", 64)


def node_vxlan(k: int) -> Interface:
    return Interface("flannel.1", "vxlan", f"10.71.{k}.0", 32, f"{V6}:71:ffff::{k:x}", 128)


def pod_eth0(k: int) -> Interface:
    return Interface("eth0", "veth", f"10.71.{k}.2", 24, f"{V6}:71:{k:x}::2", 64)


def pod_net1(k: int) -> Interface:
    return Interface("net1", "macvlan", f"10.72.0.{k}", 24, f"{V6}:0:72::{k:x}", 64)


def interfaces(host: str) -> list[Interface]:
    k = int(host.lstrip("nodepd"))
    if host.startswith("node"):
        return [node_eth0(k), node_cni0(k), node_vxlan(k)]
    return [pod_eth0(k), pod_net1(k)]


def vxlan_mac(k: int) -> str:
    return f"02:71:00:00:00:{k:02x}"


def subnet4(i: Interface) -> str:
    return i.address4.rsplit(".", 1)[0] + f".0/{i.prefix4}"


def subnet6(i: Interface) -> str:
    return i.address6.split("::")[0] + f"::/{i.prefix6}"


def etc_hosts(nodes: int) -> str:
    """Plain names are IPv4, so that no tool has two addresses to choose from."""
    lines = ["127.0.0.1 localhost", "::1 localhost ip6-localhost"]
    for k in range(1, nodes + 1):
        for name, i in ((node_name(k), node_eth0(k)), (pod_name(k), pod_eth0(k)),
                        (f"{pod_name(k)}-net1", pod_net1(k))):
            lines += [f"{i.address4} {name}", f"{i.address6} {name}-v6"]
    return "\n".join(lines) + "\n"


def switch_batch(pids: dict[str, int], nodes: int) -> str:
    lines = ["link set lo up", "link add name switch type bridge mcast_snooping 0",
             "link set dev switch up"]
    for k in range(1, nodes + 1):
        lines += [f"link add name {port(k)} type veth peer name eth0 netns {pids[node_name(k)]}",
                  f"link set dev {port(k)} master switch up"]
    return "\n".join(lines) + "\n"


def _address(i: Interface) -> list[str]:
    return [f"address add {i.address4}/{i.prefix4} dev {i.name}",
            f"address add {i.address6}/{i.prefix6} dev {i.name} nodad"]


def node_batch(k: int, pids: dict[str, int], nodes: int) -> str:
    """The node's own interfaces, its overlay as flannel lays it out, and its pod's devices."""
    pod, eth0 = pids[pod_name(k)], node_eth0(k)
    veth = f"veth{pod_name(k)}"
    lines = ["link set lo up", *_address(eth0), "link set dev eth0 up",
             f"link add name cni0 mtu {OVERLAY_MTU} type bridge mcast_snooping 0",
             f"link add name {veth} mtu {OVERLAY_MTU} type veth"
             f" peer name eth0 mtu {OVERLAY_MTU} netns {pod}",
             f"link set dev {veth} master cni0 up", *_address(node_cni0(k)),
             "link set dev cni0 up",
             f"link add name flannel.1 mtu {OVERLAY_MTU} address {vxlan_mac(k)} type vxlan id 1"
             f" local {eth0.address4} dev eth0 nolearning dstport {VXLAN_PORT}",
             *_address(node_vxlan(k)), "link set dev flannel.1 up",
             f"link add link eth0 name net1 netns {pod} type macvlan mode bridge"]
    for j in range(1, nodes + 1):
        if j == k:
            continue
        peer = node_vxlan(j)
        for gateway, subnet in ((peer.address4, subnet4(pod_eth0(j))),
                                (peer.address6, subnet6(pod_eth0(j)))):
            lines += [f"neigh add {gateway} lladdr {vxlan_mac(j)} dev flannel.1 nud permanent",
                      f"route add {subnet} via {gateway} dev flannel.1 onlink"
                      f" congctl {CONGESTION_CONTROL}"]
    return "\n".join(lines) + "\n"


def node_fdb_batch(k: int, nodes: int) -> str:
    return "".join(f"fdb append {vxlan_mac(j)} dev flannel.1 dst {node_eth0(j).address4}"
                   " self permanent\n" for j in range(1, nodes + 1) if j != k)


def pod_batch(k: int) -> str:
    gateway = node_cni0(k)
    return "\n".join(["link set lo up", *_address(pod_eth0(k)), *_address(pod_net1(k)),
                      "link set dev eth0 up", "link set dev net1 up",
                      f"route add default via {gateway.address4} dev eth0",
                      f"route add default via {gateway.address6} dev eth0"]) + "\n"


COMMON_SYSCTLS = {
    # what one connection met (a planted fault) must not slow the next
    "net/ipv4/tcp_no_metrics_save": "1",
    "net/ipv4/conf/all/rp_filter": "0",
    "net/ipv4/conf/default/rp_filter": "0",
}
HOST_SYSCTLS = COMMON_SYSCTLS | {
    "net/ipv6/conf/all/disable_ipv6": "0",
    "net/ipv6/conf/default/disable_ipv6": "0",
    "net/ipv6/conf/default/accept_dad": "0",
    "net/ipv6/conf/default/accept_ra": "0",
}
NODE_SYSCTLS = HOST_SYSCTLS | {"net/ipv4/ip_forward": "1", "net/ipv6/conf/all/forwarding": "1"}
OUTER_SYSCTLS = COMMON_SYSCTLS | {"net/ipv6/conf/default/disable_ipv6": "1"}
# absent where the kernel has no bridge netfilter; then there is nothing to switch off
OPTIONAL_OUTER_SYSCTLS = {"net/bridge/bridge-nf-call-iptables": "0",
                          "net/bridge/bridge-nf-call-ip6tables": "0",
                          "net/bridge/bridge-nf-call-arptables": "0"}

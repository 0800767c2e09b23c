"""Interfaces and settings for which ringwise's choice is compared with NCCL's."""


def up(name, *addresses, **more):
    """A veth with a link; addresses as `ip address add` takes them."""
    return dict(name=name, addresses=addresses, state="up", kind="veth", **more)


def down(name, *addresses):
    """A veth that is administratively down."""
    return dict(up(name, *addresses), state="down")


def no_link(name, *addresses):
    """A veth that is up and whose other end is down."""
    return dict(up(name, *addresses), state="no-link")


def bridge(name, *addresses, port="up"):
    """A bridge with one port; while that has no link ("down"), the bridge has none."""
    return dict(up(name, *addresses), kind="bridge", port=port)


def many(count):
    return [up(f"n{i}", f"10.1.{i}.1/24") for i in range(count)]


def case(name, links, ifname=None, family=None, comm_id=None, loopback=True):
    settings = dict(NCCL_SOCKET_IFNAME=ifname, NCCL_SOCKET_FAMILY=family, NCCL_COMM_ID=comm_id)
    return dict(name=name, links=links, loopback=loopback,
                settings={key: value for key, value in settings.items() if value is not None})


ETH = [up("eth0", "10.0.0.1/24"), up("eth1", "10.0.1.1/24"), up("eth10", "10.0.10.1/24")]
DUAL = [up("eth0", "10.0.0.1/24", "fd00::1/64"), up("eth1", "10.0.1.1/24", "fd01::1/64")]
LINK_LOCAL = [up("eth0", "fe80::1/64"), up("eth1", "fe80::2/64", "fd01::2/64")]
DOCKER = up("docker0", "172.17.0.1/16")
VIRBR = bridge("virbr0", "192.168.122.1/24")
SIXTEEN = ",".join(f"x{i}" for i in range(16))

AUTOMATIC = [
    case("loopback alone", []),
    case("nothing at all", [], loopback=False),
    case("one interface", [up("eth0", "10.0.0.1/24")]),
    case("first in kernel order", ETH),
    case("order of creation, not of names", [up("eth1", "10.0.1.1/24"), up("eth0", "10.0.0.1/24")]),
    case("kernel numbers given", [up("eth0", "10.0.0.1/24", index=300),
                                  up("eth1", "10.0.1.1/24", index=100)]),
    case("ib0 beats eth0", [up("eth0", "10.0.0.1/24"), up("ib0", "10.2.0.1/24")]),
    case("ib is a prefix", [up("eth0", "10.0.0.1/24"), up("ibs3", "10.2.0.1/24")]),
    case("ib0 without address", [up("ib0"), up("eth0", "10.0.0.1/24")]),
    case("ib0 down", [down("ib0", "10.2.0.1/24"), up("eth0", "10.0.0.1/24")]),
    case("ib0 without link", [no_link("ib0", "10.2.0.1/24"), up("eth0", "10.0.0.1/24")]),
    case("ib0 with IPv6 only", [up("eth0", "10.0.0.1/24"), up("ib0", "fd02::1/64")]),
    case("docker0 first", [DOCKER, up("eth0", "10.0.0.1/24")]),
    case("docker0 and loopback", [DOCKER]),
    case("docker0 without link", [bridge("docker0", "172.17.0.1/16", port="down")]),
    case("virbr0 first", [VIRBR, up("eth0", "10.0.0.1/24")]),
    case("virbr0 and loopback", [VIRBR]),
    case("virbr0 alone", [VIRBR], loopback=False),
    case("virbr0 and docker0", [VIRBR, DOCKER]),
    case("a name that starts with lo", [up("local0", "10.3.0.1/24"), up("eth0", "10.0.0.1/24")]),
    case("tunnel and veth names count", [up("tun0", "10.8.0.1/24"), up("enp3s0", "10.0.0.1/24")]),
    case("a bridge of a container network", [bridge("br-1a2b3c", "172.18.0.1/16"),
                                             up("enp3s0", "10.0.0.1/24")]),
    case("cni0 and flannel", [bridge("cni0", "10.244.0.1/24"), up("flannel.1", "10.244.0.0/32"),
                              up("ens5", "10.0.0.1/24")]),
    case("first has no link", [no_link("eth0", "10.0.0.1/24"), up("eth1", "10.0.1.1/24")]),
    case("first is down", [down("eth0", "10.0.0.1/24"), up("eth1", "10.0.1.1/24")]),
    case("first has no address", [up("eth0"), up("eth1", "10.0.1.1/24")]),
    case("several addresses", [up("eth0", "10.0.9.1/24", "10.0.0.1/24")]),
    case("IPv6 only before IPv4", [up("eth0", "fd00::1/64"), up("eth1", "10.0.1.1/24")]),
    case("IPv6 only", [up("eth0", "fd00::1/64")]),
    case("link-local before global in kernel order",
         [up("eth0", "fe80::1/64"), up("eth1", "fd01::1/64")]),
    case("global and link-local on one", [up("eth0", "fe80::1/64", "fd00::1/64")]),
    case("link-local IPv4", [up("eth0", "169.254.1.1/16")]),
    case("one character is no list", ETH, ifname="e"),
    case("an empty list is no list", ETH, ifname=""),
    case("twenty interfaces", many(20)),
]

BY_IFNAME = [
    case("prefix", ETH, ifname="eth1"),
    case("exact", ETH, ifname="=eth10"),
    case("exact, no match", ETH, ifname="=eth"),
    case("exclusion", ETH, ifname="^eth0,lo"),
    case("exclusion by prefix", ETH, ifname="^eth1,lo"),
    case("exclusion, exact", ETH, ifname="^=eth0,lo"),
    case("exclusion leaves loopback", ETH, ifname="^eth"),
    case("= before ^", ETH, ifname="=^eth0"),
    case("^ in the middle", ETH, ifname="eth1,^eth0"),
    case("= in the middle", ETH, ifname="eth10,=eth0"),
    case("list in another order", ETH, ifname="=eth10,=eth1"),
    case("exact list", ETH, ifname="=eth10,eth1"),
    case("port", ETH, ifname="eth1:5000"),
    case("port alone", ETH, ifname=":5000"),
    case("empty tokens", ETH, ifname=",,eth1,"),
    case("only commas", ETH, ifname=",,", loopback=False),
    case("exclusion of nothing", ETH, ifname="^="),
    case("blank in the list", ETH, ifname="eth9, eth1"),
    case("no match", ETH, ifname="ens"),
    case("upper case", ETH, ifname="ETH0"),
    case("match is down", [down("eth0", "10.0.0.1/24"), up("eth1", "10.0.1.1/24")], ifname="eth0"),
    case("match has no address", [up("eth0"), up("eth1", "10.0.1.1/24")], ifname="eth0"),
    case("docker0 by name", [up("eth0", "10.0.0.1/24"), DOCKER], ifname="docker"),
    case("loopback by name", ETH, ifname="lo"),
    case("ib0 does not win against a list", [up("ib0", "10.2.0.1/24")] + ETH, ifname="eth1"),
    case("sixteen tokens", ETH, ifname=",".join(SIXTEEN.split(",")[:15]) + ",eth1"),
    case("seventeenth token", ETH, ifname=SIXTEEN + ",eth1"),
    case("seventeenth exclusion", ETH, ifname="^" + SIXTEEN + ",lo,eth0"),
    case("label for a name", [up("eth0", "10.0.0.1/24", "10.0.5.1/24 label eth0:5")],
         ifname="=eth0:5"),
    case("label hides an address", [up("eth0", "10.0.5.1/24 label eth0:5", "fd00::1/64")],
         ifname="=eth0"),
    case("label matches by prefix", [up("eth0", "10.0.5.1/24 label eth0:5", "fd00::1/64")],
         ifname="eth0"),
]

BY_FAMILY = [
    case("AF_INET6", DUAL, family="AF_INET6"),
    case("AF_INET", DUAL, family="AF_INET"),
    case("AF_INET6 and a list", DUAL, family="AF_INET6", ifname="eth1"),
    case("AF_INET6, IPv4 only", ETH, family="AF_INET6"),
    case("AF_INET, IPv6 only", [up("eth0", "fd00::1/64")], family="AF_INET"),
    case("AF_INET6, list without IPv6", ETH, family="AF_INET6", ifname="eth"),
    case("AF_INET6 takes link-local", LINK_LOCAL, family="AF_INET6"),
    case("lower-case word", DUAL, family="af_inet6"),
    case("other word", DUAL, family="ipv6"),
    case("empty word", DUAL, family=""),
    case("AF_INET6 skips the loopback", [], family="AF_INET6"),
    case("AF_INET6, ib0 has IPv4 only", [up("ib0", "10.2.0.1/24"), up("eth0", "fd00::1/64")],
         family="AF_INET6"),
    case("AF_INET6, a global address on the loopback", [], family="AF_INET6",
         loopback=["fd0f::1/128"]),
]

BY_COMM_ID = [
    case("subnet", ETH, comm_id="10.0.1.99:5000"),
    case("subnet beats a list", ETH, comm_id="10.0.1.99:5000", ifname="eth0"),
    case("subnet beats a family", DUAL, comm_id="10.0.1.99:5000", family="AF_INET6"),
    case("subnet beats ib0", [up("ib0", "10.2.0.1/24")] + ETH, comm_id="10.0.1.99:5000"),
    case("no subnet", ETH, comm_id="10.9.9.9:5000"),
    case("loopback's subnet", ETH, comm_id="127.0.0.1:5000"),
    case("subnet of one without link", [no_link("eth0", "10.0.0.1/24"), up("eth1", "10.0.1.1/24")],
         comm_id="10.0.0.9:1"),
    case("subnet of one that is down", [down("eth0", "10.0.0.1/24"), up("eth1", "10.0.1.1/24")],
         comm_id="10.0.0.9:1"),
    case("subnet of a later address", [up("eth0", "10.0.1.1/24", "10.0.2.1/24")],
         comm_id="10.0.2.9:1"),
    case("odd prefix length", [up("eth0", "10.0.0.1/26"), up("eth1", "10.0.0.65/26")],
         comm_id="10.0.0.100:1"),
    case("IPv6 subnet", DUAL, comm_id="[fd01::9]:5000"),
    case("IPv6 loopback", DUAL, comm_id="[::1]:5000"),
    case("IPv6 with a zone", LINK_LOCAL, comm_id="[fe80::9%eth1]:5000"),
    case("link-local without a zone", LINK_LOCAL, comm_id="[fe80::9]:5000"),
    case("global with a zone", LINK_LOCAL, comm_id="[fd01::9%eth1]:5000"),
    case("IPv4 in brackets", ETH, comm_id="[10.0.1.9]:5000"),
    case("short IPv4", [up("eth0", "10.0.0.1/24")], comm_id="10.9:5000"),
    case("no port", ETH, comm_id="10.0.1.99"),
    case("bracket never closed", DUAL, comm_id="[fd01::9:5000"),
    case("empty", ETH, comm_id=""),
    case("point to point, own address", [up("eth0", "10.0.0.1 peer 10.9.9.9/32")],
         comm_id="10.0.0.1:5"),
    case("point to point, other end", [up("eth0", "10.0.0.1 peer 10.9.9.9/32")],
         comm_id="10.9.9.9:5"),
]

GROUPS = {"automatic": AUTOMATIC, "NCCL_SOCKET_IFNAME": BY_IFNAME,
          "NCCL_SOCKET_FAMILY": BY_FAMILY, "NCCL_COMM_ID": BY_COMM_ID}

# Shared by the scripts of this folder; sourced, never run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${0##*/}

say() { printf '%s: %s\n' "$program" "$*" >&2; }

# fail CODE TEXT...
fail() {
  local code=$1
  shift
  say "error: $*"
  exit "$code"
}

have() { command -v "$1" > /dev/null 2>&1; }

# step "what" COMMAND...: runs COMMAND; when it fails, says which step that was and leaves with 3,
# or with the command's own code where that is one of ringwise's (2, 4, 5, 77).
step() {
  local what=$1 status=0
  shift
  say "$what"
  "$@" || status=$?
  case $status in
    0) ;;
    2 | 4 | 5 | 77) fail "$status" "step failed: $what (exit $status)" ;;
    *) fail 3 "step failed: $what (exit $status)" ;;
  esac
}

jobs_here() { nproc 2> /dev/null || echo 2; }

# configure PRESET [OPTION...]: cheap when nothing changed.
configure() {
  local preset=$1 launcher=()
  shift
  have ccache && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  (cd "$root" && cmake --preset "$preset" "${launcher[@]}" "$@")
}

# build FOLDER [TARGET...]
build() {
  local folder=$1
  shift
  local targets=()
  [ $# -gt 0 ] && targets=(--target "$@")
  cmake --build "$root/$folder" --parallel "$(jobs_here)" "${targets[@]}"
}

# quiet LOG COMMAND...: keeps the output for when the command fails.
quiet() {
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" > "$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 60 "$log" >&2
    say "whole output: $log"
  fi
  return "$status"
}

# The mpirun of Open MPI, also where MPICH is installed beside it.
find_mpirun() {
  if have mpirun.openmpi; then echo mpirun.openmpi; else echo mpirun; fi
}

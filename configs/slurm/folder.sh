# shellcheck shell=bash disable=SC2154 # sdbench slurm submit writes the names above
# What every job of sdbench slurm submit begins with: the shared folder must be the one that was submitted from.
set -u
unset SLURM_CLUSTERS SLURM_TIME_FORMAT SLURM_JSON SLURM_YAML "${!SCONTROL_@}" "${!SACCT_@}" # what is read is of this cluster, in the usual form
node=${SLURMD_NODENAME:-$(hostname)}
state=$folder/jobs/$name.state # "started JOB NODE" and "ended JOB CODE", a line each, of all submissions into the folder

say() { printf 'sdbench slurm: %s\n' "$*" >&2; }

# refuse REASON: to the log, and as the job's comment (scontrol show job), for a log may be where nobody looks.
has_started=''
refuse() {
  say "$*"
  scontrol update "JobId=${SLURM_JOB_ID:-}" "Comment=$*" 2>/dev/null
  [ -z "$has_started" ] || tell_end 1
  exit 1
}

# tell_end CODE: to the job that collects, which else takes this one for one that was killed.
tell_end() {
  has_started=''
  printf 'ended %s %s\n' "${SLURM_JOB_ID:-}" "$1" >>"$state"
}

# The token is on the node if the folder is, and the state is seen by the job that collects if it is the same one.
enter_folder() {
  [ "$(cat "$folder/token" 2>/dev/null)" = "$token" ] ||
    refuse "$folder must be one folder that all nodes see, but $node does not see its token; name a shared one with --folder"
  { printf 'started %s %s\n' "${SLURM_JOB_ID:-}" "$node" >>"$state"; } 2>/dev/null ||
    refuse "$folder must be writable on $node, but is not"
  has_started=yes
  exec >>"$folder/$name.log" 2>&1
  check_locks
  check_clock
}

check_locks() {
  local code=0
  flock --nonblock --conflict-exit-code 100 "$state" true || code=$?
  case $code in
  0 | 100) ;;
  65 | 71) say "the file system of $folder has no locks: let no other sdbench write its files" ;; # flock(1) of what the kernel refuses
  *) say "whether the file system of $folder has locks is not known, because flock ends with exit code $code" ;;
  esac
}

# Slurm's controller tells its time in seconds, which is the same for all nodes: "sdiag output at Fri Nov 27 12:00:00 2026 (1795780800)".
ahead=0 # by so many seconds is the clock of this node; 0 where nobody knows
check_clock() {
  local controller
  controller=$(timeout 20 sdiag 2>/dev/null | sed -n 's/^sdiag output at .*(\([0-9]\{1,\}\))$/\1/p')
  [ -n "$controller" ] || return 0
  ahead=$(($(date +%s) - controller))
  [ $ahead -lt 60 ] || say "the clock of $node is $ahead s ahead of that of Slurm's controller; the times in its rows are, too"
  [ $ahead -gt -60 ] || say "the clock of $node is $((-ahead)) s behind that of Slurm's controller; the times in its rows are, too"
}

# The program is on the node, starts there (its glibc may be too old), and has a worker.
check_program() {
  local words
  [ -x "$program" ] || refuse "$node must see $program, but does not; submit with an sdbench in a folder that all nodes see"
  words=$("$program" --version 2>&1) || refuse "$program must start on $node, but does not: $(printf %s "$words" | head -n 1)"
  case $words in
  *'no worker in '*) refuse "$node must see a worker beside $program, but there is none; install sdbench into a shared folder whole" ;;
  esac
}


# shellcheck shell=bash disable=SC2154 # sdbench slurm submit writes the names above
# What all jobs of the folder have measured, joined, compared and made a page. A job that failed leaves the others' rows as they are.
enter_folder
check_program
cd "$folder" || exit 1

# end_of NUMBER: how Slurm tells a job's end ("PREEMPTED", "TIMEOUT"), as long as it remembers; else what keeps accounts does.
end_of() {
  local words
  words=$(timeout 20 scontrol --oneliner show job "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
  [ -n "$words" ] || words=$(timeout 20 sacct --noheader --parsable2 --allocations --format=State --jobs="$1" 2>/dev/null | tail -n 1)
  printf %s "${words%% *}" # of "CANCELLED by 1000"
}

# unfinished JOB NUMBER WHAT: Slurm has ended it, so that cells of its are missing.
unfinished=()
unfinished() {
  local end
  end=$(end_of "$2")
  case $end in
  PREEMPTED) end='was preempted' ;;
  TIMEOUT) end='was ended, for its time was up,' ;;
  NODE_FAIL) end='has lost its node' ;;
  CANCELLED) end='was cancelled' ;;
  *) end='was ended' ;;
  esac
  say "$1 (job $2) $end before it $3; submit again to measure what it lacks"
  unfinished+=("$1 (job $2) $end before it $3")
}

declare -A job_of=() # by the UUID of a GPU
for pair in "${jobs[@]}"; do # "12:node1"
  number=${pair%%:*} job=${pair#*:}
  started='' ended='' # of its last start
  while read -r word of rest; do
    case "$word $of" in
    "started $number") started=$rest ended='' ;;
    "ended $number") ended=$rest ;;
    esac
  done 2>/dev/null <"jobs/$job.state"
  if [ -z "$started" ]; then
    case $(end_of "$number") in
    CANCELLED | PREEMPTED | TIMEOUT | NODE_FAIL) unfinished "$job" "$number" began ;;
    *) say "$job has left no trace here: its node does not see $folder, or it never began; see scontrol show job and squeue" ;;
    esac
  elif [ -z "$ended" ] || [ "$ended" -gt 128 ]; then # a signal has ended it
    unfinished "$job" "$number" 'was done'
  elif [ "$ended" != 0 ]; then
    say "$job ended with exit code $ended; see $folder/$job.log"
  fi
  while read -r card; do
    [ -z "${job_of[$card]:-}" ] || say "$job has measured the card of ${job_of[$card]} ($card), so another one may have no rows"
    job_of[$card]=$job
  done < <(sed -n "/\"slurm_job\":\"$number\"/s/.*\"device_uuid\":\"\([^\"]\{1,\}\)\".*/\1/p" "$job.jsonl" 2>/dev/null | sort -u)
done
# The last jobs of two submissions may run at once: each waits for the other, or older rows could come last. Without locks it does not.
exec 9>jobs/collect.lock
flock -w 600 9 2>/dev/null || true
# Of all submissions: a node that this one leaves out has rows, too.
files=()
for trace in jobs/*.state; do
  rows=$(basename "$trace" .state).jsonl
  [ ! -s "$rows" ] || files+=("$rows")
done
[ ${#files[@]} -gt 0 ] || refuse "no job has written a row into $folder; see its logs"
"$program" merge "${files[@]}" -o all.jsonl --overwrite || [ $? -eq 3 ] || exit 1 # 3: rows that cannot be read are left out, and said
code=0
"$program" compare all.jsonl >comparison.txt || code=1
if [ ${#unfinished[@]} -gt 0 ]; then
  say "to measure what is missing: $again"
  {
    printf '\nnot finished:\n'
    printf '  %s\n' "${unfinished[@]}"
    printf 'To measure what is missing: %s\n' "$again"
  } >>comparison.txt
fi
"$program" report all.jsonl -o report.html --private || code=1 # the user's own nodes, by their names
[ $code = 0 ] || say "all rows are in $folder/all.jsonl, but comparison.txt or report.html could not be made of them"
exit $code

# shellcheck shell=bash disable=SC2154 # sdbench slurm submit writes the names above
# What all jobs of the folder have measured, joined, compared and made a page. A job that failed leaves the others' rows as they are.
enter_folder
check_program
cd "$folder" || exit 1
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
    say "$job has left no trace here: its node does not see $folder, or it never began; see scontrol show job and squeue"
  elif [ -z "$ended" ]; then
    say "$job (job $number) was ended before it was done; submit again, and what it lacks is measured"
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
"$program" report all.jsonl -o report.html --private || code=1 # the user's own nodes, by their names
[ $code = 0 ] || say "all rows are in $folder/all.jsonl, but comparison.txt or report.html could not be made of them"
exit $code

# shellcheck shell=bash disable=SC2154 # sdbench slurm submit writes the names above
# The sweep of one job. Each start does what its file of rows lacks, so that a requeue loses the cell that ran and no more.
rows=$folder/$name.jsonl
# Of a cell of several devices it is the sum that counts: one of them may have done its part.
done_cells() { sed '/"status":"interrupted"/d; /"parallel_role":"device"/d' "$rows" 2>/dev/null | wc -l; }

# Some clusters send the signal before they preempt a job, too. Slurm sends it a minute early or late. The end is of the controller's clock.
has_time_left() { [ $((${SLURM_JOB_END_TIME:-0} - ($(date +%s) - ahead))) -gt 300 ]; }

enter_folder
check_program
before=$(done_cells)
run='' was_told='' time_is_up=''
# A signal ends the waiting for sdbench, not sdbench: it is told to write the row of its cell, and waited for again.
trap 'was_told=yes time_is_up=yes; kill -TERM "$run" 2>/dev/null' USR1
trap 'was_told=yes; kill -TERM "$run" 2>/dev/null' TERM
[ -d "$start_folder" ] || say "$node does not see $start_folder, in which jobs start; there, paths after -- are relative to $PWD"
say "job ${SLURM_JOB_ID:-} on $node, start $((${SLURM_RESTART_COUNT:-0} + 1))"
gpus=${CUDA_VISIBLE_DEVICES:-${ZE_AFFINITY_MASK:-}} # that Slurm shows to the job: "0,1"
case $one_gpu$gpus in
yes*,*) say "the job must see one GPU, but sees $gpus, as where a partition gives whole nodes: all jobs of $node measure the same;" \
  "submit with --per node, and --device all behind --" ;;
esac
"$program" "${run_options[@]}" -o "$rows" --resume &
run=$!
while
  wait "$run"
  code=$?
  [ -n "$was_told" ]
do
  was_told=''
done
tell_end $code
if [ -n "$time_is_up" ] && [ $code -gt 128 ]; then # it was interrupted, and had not come to its end by then
  if [ "$(done_cells)" -le "$before" ] && ! has_time_left; then
    refuse "$name must finish a cell within its time limit, but has not; give more with --time"
  fi
  say "the time is up, or the job must make room: it asks to be started again, to measure what is left"
  # Where the job is requeued, scontrol may be killed with it, and has said nothing.
  words=$(scontrol requeue "$SLURM_JOB_ID" 2>&1) || [ -z "$words" ] ||
    { say "to measure what it lacks: $again" && refuse "$name must be requeued, but Slurm says: $words; submit again to measure what it lacks"; }
fi
exit $code

#!/bin/sh
# Workers of matches as a Slurm array: as many as the array has tasks, each until nothing is left to be played.
#
#     sbatch --array=1-64 docker/workers/slurm-worker.sh /shared/queue
#
# The queue lies on a file system that all nodes see, or is postgres://USER@HOST/DATABASE. Put the match in first
# (fuhyo match --queue ...): workers end when there is nothing. A task that is preempted or reaches its time gives its
# games back, and --requeue begins it anew.
#SBATCH --job-name=fuhyo-match
#SBATCH --cpus-per-task=2
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -eu
queue=${1:?"usage: sbatch --array=1-N $0 QUEUE"}
exec srun --ntasks=1 fuhyo match --worker "$queue" -j "${SLURM_CPUS_PER_TASK:-1}" --drain \
  --worker-name "slurm-${SLURM_ARRAY_JOB_ID:-0}-${SLURM_ARRAY_TASK_ID:-0}-${SLURM_RESTART_COUNT:-0}"

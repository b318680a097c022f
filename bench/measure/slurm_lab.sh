#!/bin/bash
# A whole Slurm of one node on loopback, from Debian's packages, without root where user namespaces are allowed.
# usage: slurm_lab.sh FOLDER PORT default|tuned     run it in a PID namespace of its own: killing that ends all of it
set -euo pipefail
folder=$1 port=$2 kind=$3
user=$(id -un)
PATH=$PATH:/usr/sbin:/sbin
mkdir -p "$folder"/{munge,state,log}
chmod 755 "$folder"
chmod 700 "$folder/munge"
head -c 1024 /dev/urandom >"$folder/munge/key"
chmod 600 "$folder/munge/key"

threads=2
{
  cat <<END
ClusterName=bench
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket
SlurmctldPort=$port
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
MailProg=/bin/true
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PropagateResourceLimits=NONE
END
  if [ "$kind" = tuned ]; then
    threads=10
    cat <<END
SchedulerType=sched/builtin
PriorityType=priority/basic
SchedulerParameters=defer,batch_sched_delay=1,sched_min_interval=100000,default_queue_depth=200,partition_job_depth=500,sched_max_job_start=200
MinJobAge=2
SlurmctldDebug=error
SlurmdDebug=error
MaxJobCount=120000
MaxArraySize=60001
END
  fi
  echo "NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=64 RealMemory=65536"
  echo "PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE State=UP"
} >"$folder/slurm.conf"

export SLURM_CONF=$folder/slurm.conf
munged -F --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
  --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --num-threads=$threads &
for _ in $(seq 50); do [ -S "$folder/munge/socket" ] && break; sleep 0.1; done
slurmctld -D -c >"$folder/log/slurmctld.out" 2>&1 &
slurmd -D -c -N n1 >"$folder/log/slurmd.out" 2>&1 &
wait

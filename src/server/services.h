#pragma once
// What tasks of workflows ask of services: our own operations without HTTP. What a task makes gets its id
// from the task's token, so that asking twice makes it once.
#include <map>

#include "aws/face.h"
#include "aws/shapes.h"
#include "rt/guarded.h"
#include "server/turn.h"
#include "tasks/runner.h"

namespace stoker::server {

class WorkflowServices : public Services {
 public:
  // None of the references is owned; all outlive this.
  WorkflowServices(TurnLoop& loop, aws::Face& face, aws::Backend& backend, const tasks::Options& outside);
  void call(core::CallService action) override;
  void cancel(core::CancelService action) override;
  void describe(core::DescribeEndedJob action) override;
  void read_items(core::ReadMapItems action) override;
  void write_results(core::WriteMapResults action) override;

 private:
  using TaskToken = workflow::TaskToken;
  // Functions, HTTP APIs and objects.
  void call_outside(workflow::StartTask task);
  void outside_ended(const tasks::TaskOutcome& outcome);
  void submit_job(const workflow::StartTask& task);
  void call_sdk(const workflow::StartTask& task, aws::Service service, std::string_view name);
  void tell(const workflow::TaskToken& token, workflow::News news);
  void refuse_parameters(const workflow::StartTask& task, std::string_view why);

  TurnLoop& loop_;
  aws::Face& face_;
  aws::Backend& backend_;
  rt::Guarded<std::map<std::string, workflow::StartTask>> outside_;  // by token: under way
  std::unique_ptr<tasks::Runner> runner_;                            // last: its threads use the others
};

}  // namespace stoker::server

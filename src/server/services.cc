#include "server/services.h"

#include "aws/answer.h"
#include "aws/integration.h"
#include "aws/shapes_table.h"
#include "core/machines/sdk_answer.h"
#include "core/machines/workflows.h"
#include "joblog/store.h"

namespace stoker::server {
namespace {

using workflow::StartTask;
using workflow::TaskToken;

constexpr std::string_view kBatchContentType = "application/json";

// The face's view of the server while it works for a task.
class TaskBackend : public aws::Backend {
 public:
  TaskBackend(aws::Backend& real, const TaskToken& token) : real_(real), token_(token) {}

  void request(core::Request request, std::move_only_function<void(Result<core::Answer>)> done) override {
    if (auto* job = std::get_if<core::SubmitJob>(&request))
      return real_.request(core::SubmitTaskJob{token_, std::move(*job)}, std::move(done));
    if (auto* start = std::get_if<core::StartExecution>(&request)) start->task = token_;
    real_.request(std::move(request), std::move(done));
  }
  void read(std::move_only_function<net::Response(const core::State&, Instant now)> read,
            net::Reply reply) override {
    real_.read(std::move(read), std::move(reply));
  }
  void read_logs(std::move_only_function<void(joblog::LogStore&)> work) override {
    real_.read_logs(std::move(work));
  }
  void read_history(core::HistoryRange range,
                    std::move_only_function<void(Result<core::HistoryPage>)> done) override {
    real_.read_history(range, std::move(done));
  }
  void read_execution(
      std::uint64_t no,
      std::move_only_function<void(Result<std::optional<workflow::Snapshot>>)> done) override {
    real_.read_execution(no, std::move(done));
  }
  Instant now() override { return real_.now(); }
  // The first is the id of what the task makes.
  Uuid new_uuid() override {
    const int number = minted_++;
    return core::id_of_task(token_, number == 0 ? "job" : "id " + std::to_string(number));
  }

 private:
  aws::Backend& real_;
  TaskToken token_;
  int minted_ = 0;
};

bool request_response(const StartTask& task) {
  return task.pattern == workflow::Pattern::RequestResponse;
}
Uuid request_id(const TaskToken& token) {
  return core::id_of_task(token, "request");
}

workflow::TaskFailed failed(const StartTask& task, std::string error, std::string cause) {
  return {.token = task.token,
          .error = std::move(error),
          .cause = std::move(cause),
          .stage = request_response(task) ? workflow::TaskFailed::Stage::Run
                                          : workflow::TaskFailed::Stage::Submit};
}

// AWS adds this to the jobs that it starts for workflows.
void mark(json::Value& input) {
  json::Object& object = input.get_object();
  for (const std::string_view other : {"nodeOverrides", "eksPropertiesOverride", "ecsPropertiesOverride"})
    if (object.contains(other)) return;
  json::Value& overrides = object["containerOverrides"];
  if (!overrides.is_object()) overrides.emplace_object();
  json::Value& environment = overrides.get_object()["environment"];
  if (!environment.is_array()) environment.emplace_array();
  environment.get_array().push_back(
      json::Object{{"name", "MANAGED_BY_AWS"}, {"value", "STARTED_BY_STEP_FUNCTIONS"}});
}

// "InvalidToken" and "ClientException" as the SDK's exceptions are called.
std::string exception_name(std::string name) {
  if (!name.ends_with("Exception")) name += "Exception";
  return name;
}

}  // namespace

WorkflowServices::WorkflowServices(TurnLoop& loop, aws::Face& face, aws::Backend& backend,
                                   const tasks::Options& outside)
    : loop_(loop),
      face_(face),
      backend_(backend),
      runner_(tasks::Runner::start(outside,
                                   [this](const tasks::TaskOutcome& outcome) { outside_ended(outcome); })) {}

void WorkflowServices::tell(const TaskToken& token, workflow::News news) {
  loop_.event(core::WorkflowNews{.execution = token.execution, .news = std::move(news)});
}

void WorkflowServices::refuse_parameters(const StartTask& task, std::string_view why) {
  tell(task.token,
       workflow::TaskFailed{.token = task.token,
                            .error = "States.Runtime",
                            .cause = "The Parameters '" + task.parameters.text() +
                                     "' could not be used to start the Task: [" + std::string(why) + "]",
                            .stage = workflow::TaskFailed::Stage::Data});
}

void WorkflowServices::call(core::CallService action) {
  const StartTask& task = action.task;
  if (task.service == "batch" && task.api == "submitJob") return submit_job(task);
  if (task.service == "aws-sdk:batch") return call_sdk(task, aws::Service::Batch, "Batch");
  if (task.service == "aws-sdk:sfn") return call_sdk(task, aws::Service::States, "Sfn");
  if (tasks::does(task.resource)) return call_outside(std::move(action.task));
  tell(task.token,
       workflow::TaskFailed{.token = task.token,
                            .error = "States.Runtime",
                            .cause = "The resource " + task.resource + " is not available in this server.",
                            .stage = workflow::TaskFailed::Stage::Data});
}

void WorkflowServices::call_outside(StartTask task) {
  tasks::TaskRequest request{
      .token = task.token.str(), .resource = task.resource, .parameters = task.parameters.shared()};
  outside_.with([&](auto& under_way) { under_way.insert_or_assign(request.token, std::move(task)); });
  runner_->run(std::move(request));
}

void WorkflowServices::cancel(core::CancelService action) {
  const std::string token = action.token.str();
  outside_.with([&](auto& under_way) { under_way.erase(token); });
  runner_->cancel(token);
}

void WorkflowServices::outside_ended(const tasks::TaskOutcome& outcome) {
  auto found = outside_.with([&](auto& under_way) { return under_way.extract(outcome.token); });
  if (found.empty()) return;
  const StartTask& task = found.mapped();
  if (!outcome.result) {
    auto news = failed(task, outcome.result.error().error, outcome.result.error().cause);
    if (outcome.result.error().wrong_parameters) news.stage = workflow::TaskFailed::Stage::Data;
    return tell(task.token, std::move(news));
  }
  workflow::Document output(*outcome.result);
  if (task.pattern == workflow::Pattern::WaitForTaskToken)
    tell(task.token, workflow::TaskSubmitted{task.token, std::move(output)});
  else
    tell(task.token, workflow::TaskSucceeded{task.token, std::move(output)});
}

void WorkflowServices::submit_job(const StartTask& task) {
  const aws::Operation& operation = aws::operation(aws::OperationId::BatchSubmitJob);
  auto input = aws::from_integration(operation.input, task.parameters.value(), aws::JsonTexts::MustBeStrings);
  if (!input) return refuse_parameters(task, input.error().message);
  mark(*input);
  auto backend = std::make_shared<TaskBackend>(backend_, task.token);
  face_.call(
      operation, std::move(*input), *backend, [this, task, backend, &operation](Result<json::Value> answer) {
        const Uuid request = request_id(task.token);
        if (!answer) {
          const aws::Fault fault = aws::fault_of(aws::Service::Batch, answer.error());
          return tell(task.token,
                      failed(task, "Batch." + exception_name(fault.name),
                             core::sdk_cause(fault.message, "AWSBatch", fault.status, fault.name, request)));
        }
        const std::size_t bytes = json::write(*answer).size();
        json::Value output = aws::to_integration(operation.output, *answer);
        core::add_sdk_metadata(output.get_object(), request, backend->now(), bytes, kBatchContentType);
        if (request_response(task))
          tell(task.token, workflow::TaskSucceeded{task.token, workflow::Document(std::move(output))});
        else
          tell(task.token, workflow::TaskSubmitted{task.token, workflow::Document(std::move(output))});
      });
}

void WorkflowServices::describe(core::DescribeEndedJob action) {
  const aws::Operation& operation = aws::operation(aws::OperationId::BatchDescribeJobs);
  json::Value input = json::Object{{"jobs", json::Array{json::Value(action.job.str())}}};
  face_.call(operation, std::move(input), backend_, [this, action, &operation](Result<json::Value> answer) {
    json::Value view;
    if (answer) {
      const json::Value shown = aws::to_integration(operation.output, *answer);
      const json::Array& jobs = json::get_array(shown, "Jobs");
      if (!jobs.empty()) view = jobs.front();
    }
    if (json::get_string(view, "Status") == "SUCCEEDED")
      return tell(action.token, workflow::TaskSucceeded{action.token, workflow::Document(std::move(view))});
    std::string cause =
        view.is_null() ? "The job " + action.job.str() + " is no longer known" : json::write(view);
    tell(action.token, workflow::TaskFailed{
                           .token = action.token, .error = "States.TaskFailed", .cause = std::move(cause)});
  });
}

void WorkflowServices::call_sdk(const StartTask& task, aws::Service service, std::string_view name) {
  const aws::Operation* operation = aws::operation_of_api(service, task.api);
  if (operation == nullptr) return refuse_parameters(task, "The service integration has no API " + task.api);
  json::Value input = json::Object{};
  if (operation->input != aws::kNoShape) {
    auto read = aws::from_integration(operation->input, task.parameters.value(), aws::JsonTexts::MayBeJson);
    if (!read) return refuse_parameters(task, read.error().message);
    input = std::move(*read);
  }
  auto backend = std::make_shared<TaskBackend>(backend_, task.token);
  face_.call(*operation, std::move(input), *backend,
             [this, task, backend, operation, name = std::string(name)](Result<json::Value> answer) {
               if (!answer) {
                 const aws::Fault fault = aws::fault_of(operation->service, answer.error());
                 const std::string cause =
                     fault.message + " (Service: " + name + ", Status Code: " + std::to_string(fault.status) +
                     ", Request ID: " + request_id(task.token).str() + ") (SDK Attempt Count: 1)";
                 return tell(task.token, failed(task, name + "." + exception_name(fault.name), cause));
               }
               workflow::Document output(aws::to_integration(operation->output, *answer));
               if (request_response(task))
                 tell(task.token, workflow::TaskSucceeded{task.token, std::move(output)});
               else
                 tell(task.token, workflow::TaskSubmitted{task.token, std::move(output)});
             });
}

}  // namespace stoker::server

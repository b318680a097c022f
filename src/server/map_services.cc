// The readers and writers of distributed Maps: on the threads of the tasks, off the core's.
#include <future>

#include "core/workflow/definition/definition.h"
#include "server/services.h"
#include "tasks/item_reader.h"
#include "tasks/result_writer.h"

namespace stoker::server {
namespace {

constexpr std::string_view kTooMany = "Too many tasks wait on this server";

// The results of a run, page by page, from the store.
class StoredResults {
 public:
  StoredResults(TurnLoop& loop, core::MapResultRange range) : loop_(loop), range_(range) {}

  Result<std::vector<dataset::ChildResult>> next() {
    using Page = Result<std::vector<workflow::MapResultRecord>>;
    std::promise<Page> page;
    loop_.read_store([&](store::Store& store) { page.set_value(store.map_results(range_)); });
    const auto records = TRY(page.get_future().get());
    std::vector<dataset::ChildResult> out;
    for (const workflow::MapResultRecord& record : records) {
      out.push_back(TRY(workflow::read_map_result(record)));
      range_.from = record.index + 1;
    }
    return out;
  }

 private:
  TurnLoop& loop_;
  core::MapResultRange range_;
};

}  // namespace

void WorkflowServices::read_items(core::ReadMapItems action) {
  const TaskToken token = action.wanted.token;
  const auto read = [this, token, action = std::move(action)](const tasks::Options& options,
                                                              tasks::Caller& caller) {
    const workflow::ReadItems& wanted = action.wanted;
    auto items = tasks::read_items({.resource = wanted.resource,
                                    .arguments = wanted.arguments,
                                    .items_max = wanted.items_max,
                                    .reader = &*wanted.map->reader},
                                   options, caller);
    if (caller.cancelled()) return;
    workflow::ItemsRead news{.token = token, .items = nullptr};
    if (items) {
      news.items = std::make_shared<const json::Value>(std::move(items->items));
      news.source = std::move(items->source);
    } else {
      news.fault = std::move(items).error();
    }
    tell(token, std::move(news));
  };
  if (!runner_->work(token.str(), read))
    tell(token, workflow::ItemsRead{.token = token, .items = nullptr, .fault = std::string(kTooMany)});
}

void WorkflowServices::write_results(core::WriteMapResults action) {
  const TaskToken token = action.wanted.token;
  const auto write = [this, token, action = std::move(action)](const tasks::Options& options,
                                                               tasks::Caller& caller) {
    const workflow::WriteResults& wanted = action.wanted;
    StoredResults results(loop_, {.execution = action.execution, .run = wanted.run});
    auto written = tasks::write_results(
        {.resource = wanted.resource,
         .arguments = wanted.arguments,
         .map_run_arn = wanted.map_run_arn,
         .machine_arn = wanted.machine_arn,
         .writer = &*wanted.map->writer,
         .items = wanted.items,
         .first_pending = wanted.first_pending},
        [&] { return results.next(); }, options, caller);
    if (caller.cancelled()) return;
    workflow::ResultsWritten news{.token = token, .output = nullptr};
    if (written)
      news.output = std::make_shared<const json::Value>(*std::move(written));
    else
      news.fault = std::move(written).error();
    tell(token, std::move(news));
  };
  if (!runner_->work(token.str(), write))
    tell(token, workflow::ResultsWritten{.token = token, .output = nullptr, .fault = std::string(kTooMany)});
}

}  // namespace stoker::server

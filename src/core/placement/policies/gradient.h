#pragma once
// What FGD and our default share: the GPU of a node, and so the node, where what is unusable grows least.
#include "core/placement/policies/policies.h"

namespace stoker::core {

class GradientPolicy : public Policy {
 public:
  [[nodiscard]] bool measures() const override { return true; }
  [[nodiscard]] std::size_t gpu_for_share(const Candidate& node) const override { return best(node).gpu; }

 protected:
  struct Choice {
    std::size_t gpu = 0;
    std::int64_t score = 0;
  };
  // Of equal GPUs the first.
  [[nodiscard]] Choice best(const Candidate& node) const {
    if (!node.ask.is_share()) return {.score = score_on(node, 0)};
    Choice best{.score = -1};
    for (const std::size_t gpu : gpus_for_share(node))
      if (const std::int64_t score = score_on(node, gpu); score > best.score) best = {gpu, score};
    return best;
  }

 private:
  // gradient_score() of the run on that node, a share of a GPU on `gpu`; `after` is the room it leaves.
  [[nodiscard]] virtual std::int64_t gradient(const Candidate& node, const Room& after) const = 0;

  [[nodiscard]] std::int64_t score_on(const Candidate& node, std::size_t gpu) const {
    set_room_after(after_, node, gpu);
    return gradient(node, after_);
  }
  mutable Room after_;  // only its memory is kept between calls
};

}  // namespace stoker::core

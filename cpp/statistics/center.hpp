#pragma once

namespace banditplan {

/// Where a bandit's bound is centred: at the mean of the data, or in the middle between minimum and maximum.
enum class Center { mean, midrange };

}  // namespace banditplan

// What most files of the library include, read once (a quarter of the time that they take to compile). Each file still
// includes what it uses: other builds of them go without this.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/base.h"
#include "memory/memory.h"
// SPDX-License-Identifier: MIT

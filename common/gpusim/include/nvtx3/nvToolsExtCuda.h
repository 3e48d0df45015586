#pragma once
#include "../nvToolsExtCuda.h"

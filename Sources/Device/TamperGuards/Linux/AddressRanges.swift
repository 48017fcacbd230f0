#if os(Linux)
    /// Set of addresses as sorted ranges that do not touch, so that a search takes a few steps.
    struct AddressRanges {
        private var ranges: [Range<UInt>] = []

        /// Joins ranges, which may overlap and come in any order.
        init(_ ranges: some Sequence<Range<UInt>>) {
            for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
                guard let last = self.ranges.last, range.lowerBound <= last.upperBound else {
                    self.ranges.append(range)
                    continue
                }
                let joined = last.lowerBound..<max(last.upperBound, range.upperBound)
                self.ranges[self.ranges.count - 1] = joined
            }
        }

        func contains(_ address: UInt) -> Bool {
            first(endingBehind: address)?.contains(address) ?? false
        }

        func overlaps(_ range: Range<UInt>) -> Bool {
            first(endingBehind: range.lowerBound)?.overlaps(range) ?? false
        }

        private func first(endingBehind address: UInt) -> Range<UInt>? {
            var (low, high) = (0, ranges.count)
            while low < high {
                let middle = (low + high) / 2
                if ranges[middle].upperBound <= address { low = middle + 1 } else { high = middle }
            }
            return low < ranges.count ? ranges[low] : nil
        }
    }
#endif

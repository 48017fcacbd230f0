package import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Zipf distribution: the element of rank k is drawn with a probability proportional to k to the power of minus `skew`.
///
/// Drawn by rejection inversion (Hörmann and Derflinger 1996), which needs no table however many elements there are, and
/// little more than one random number for each draw.
package struct ZipfDistribution: Sendable {
    /// Number of elements.
    package let count: Int
    /// Exponent; 0 draws all elements alike.
    package let skew: Double

    private let integralAtOne: Double
    private let integralAtEnd: Double
    private let acceptance: Double

    /// Distribution over `count` elements, at least one, with an exponent of 0 or more; smaller values count as those.
    package init(count: Int, skew: Double) {
        self.count = max(count, 1)
        self.skew = max(skew, 0)
        integralAtOne = Self.integral(1.5, self.skew) - 1
        integralAtEnd = Self.integral(Double(self.count) + 0.5, self.skew)
        acceptance =
            2 - Self.inverseIntegral(Self.integral(2.5, self.skew) - Self.weight(2, self.skew), self.skew)
    }

    /// Random rank: 0 for the most frequent element, up to, and without, ``count``.
    package func rank(_ random: inout SeededGenerator) -> Int {
        while true {
            let height = integralAtEnd + random.unit() * (integralAtOne - integralAtEnd)
            let place = Self.inverseIntegral(height, skew)
            let rank = min(max((place + 0.5).rounded(.down), 1), Double(count))
            if rank - place <= acceptance || height >= Self.integral(rank + 0.5, skew) - Self.weight(rank, skew) {
                return Int(rank) - 1
            }
        }
    }

    /// Density without its constant: x to the power of minus `skew`.
    private static func weight(_ x: Double, _ skew: Double) -> Double { exp(-skew * log(x)) }

    /// Integral of the weight, exact also for an exponent of 1, where it is the logarithm.
    private static func integral(_ x: Double, _ skew: Double) -> Double {
        let logarithm = log(x)
        return logarithm * ratio(of: (1 - skew) * logarithm) { expm1($0) }
    }

    private static func inverseIntegral(_ y: Double, _ skew: Double) -> Double {
        // Rounding may lead slightly below the domain of the logarithm.
        let exponent = max(y * (1 - skew), -1)
        return exp(y * ratio(of: exponent) { log1p($0) })
    }

    /// `function(x) / x`, by the first terms of the series near 0, where both functions are alike but for their sign.
    private static func ratio(of x: Double, _ function: (Double) -> Double) -> Double {
        abs(x) > 1e-8 ? function(x) / x : 1
    }
}

/// Colour of the pages, in sRGB.
package struct PageColour: Sendable, Hashable {
    /// Part of a page that has a colour; the style has a variable of the same name.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        case ink, soft, paper, card, line, mark
        case onMark = "on-mark"
        case good
        case goodPaper = "good-paper"
        case bad
        case badPaper = "bad-paper"
    }

    /// Least contrast of a text to what is behind it (WCAG 2.2, 1.4.3).
    package static let leastContrast = 4.5
    /// Parts that stand on others as texts.
    package static let pairs: [(text: Part, ground: Part)] = [
        (.ink, .paper), (.ink, .card), (.soft, .paper), (.soft, .card), (.mark, .paper), (.mark, .card),
        (.onMark, .mark), (.good, .goodPaper), (.bad, .badPaper), (.bad, .card),
    ]

    private let value: UInt32

    /// Reads a colour such as `#0b3d91`; nil for another form.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let value = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.value = value
    }

    private init(_ value: UInt32) { self.value = value }

    package var text: String {
        let digits = String(value, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Contrast of two colours, 1 to 21 (WCAG 2.2, contrast ratio).
    package func contrast(to other: PageColour) -> Double {
        let (one, other) = (luminance, other.luminance)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// Relative luminance (WCAG 2.2).
    private var luminance: Double {
        func linear(_ shift: UInt32) -> Double {
            let part = Double(value >> shift & 0xFF) / 255
            guard part > 0.04045 else { return part / 12.92 }
            let base = (part + 0.055) / 1.055
            let root = Self.fifthRoot(base)
            return base * base * root * root
        }
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    }
}

extension PageColour {
    /// Fifth root of a number between 0 and 1, by Newton's method from above.
    private static func fifthRoot(_ number: Double) -> Double {
        (0..<40).reduce(1.0) { root, _ in (4 * root + number / (root * root * root * root)) / 5 }
    }
}

extension PageColour.Part {
    /// Colour without a choice of the operator, as `signet.css` has it.
    package func standard(in scheme: PageTheme.Scheme) -> PageColour {
        let (light, dark): (UInt32, UInt32) =
            switch self {
            case .ink: (0x16191F, 0xF3F5F8)
            case .soft: (0x3F4652, 0xC5CBD5)
            case .paper: (0xF4F5F7, 0x0F1115)
            case .card: (0xFFFFFF, 0x191C22)
            case .line: (0xC9CED6, 0x3A404B)
            case .mark: (0x0B3D91, 0xA9C7FF)
            case .onMark: (0xFFFFFF, 0x0B1A33)
            case .good: (0x0A4D26, 0xA6E3B9)
            case .goodPaper: (0xE6F4EA, 0x12281B)
            case .bad: (0x8A0F1C, 0xFFB9BF)
            case .badPaper: (0xFDECEE, 0x34151A)
            }
        return PageColour(scheme == .light ? light : dark)
    }
}

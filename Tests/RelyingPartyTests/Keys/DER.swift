/// Writes the ASN.1 elements that tests need, well formed or with a spoiled length.
enum DER {
    /// One element with the shortest length.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// An integer from its magnitude.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let significant = Array(magnitude.drop { $0 == 0 })
        let needsZero = (significant.first ?? 0x80) >= 0x80
        return element(0x02, (needsZero ? [0] : []) + significant)
    }

    private static func length(_ count: Int) -> [UInt8] {
        switch count {
        case ..<0x80: [UInt8(count)]
        case ..<0x100: [0x81, UInt8(count)]
        default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        }
    }
}

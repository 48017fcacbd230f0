#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Path or name as the kernel and the linker give it: octets, which need not be UTF-8.
    ///
    /// One check goes through hundreds of them. As octets they need neither extra memory nor the rules for characters,
    /// by which a letter with an accent behind it is another letter.
    struct SystemName: Hashable, Sendable {
        private static let slash = UInt8(ascii: "/")

        /// Octets without a zero at the end.
        let octets: ArraySlice<UInt8>

        init(_ octets: ArraySlice<UInt8>) { self.octets = octets }

        init(_ text: some StringProtocol) { octets = Array(text.utf8)[...] }

        /// Text for people; what is no UTF-8 is replaced.
        var text: String { String(decoding: octets, as: UTF8.self) }

        /// Name behind the last slash, not counting slashes at the end; empty where there is nothing else.
        var lastPart: SystemName {
            guard let last = octets.lastIndex(where: { $0 != Self.slash }) else { return SystemName(octets.prefix(0)) }
            let name = octets[...last]
            guard let slash = name.lastIndex(of: Self.slash) else { return SystemName(name) }
            return SystemName(name[(slash + 1)...])
        }

        /// Octets from the last slash on; nil without a slash.
        var fromLastSlash: SystemName? {
            octets.lastIndex(of: Self.slash).map { SystemName(octets[$0...]) }
        }

        func hasPrefix(_ text: String) -> Bool { octets.starts(with: text.utf8) }

        func hasSuffix(_ text: String) -> Bool { octets.suffix(text.utf8.count).elementsEqual(text.utf8) }

        /// Whether a word of small letters, digits and hyphens occurs in the name, whose ASCII letters may be large.
        func contains(word: [UInt8]) -> Bool {
            guard let first = word.first, octets.count >= word.count else { return word.isEmpty }
            return octets.withUnsafeBufferPointer { octets in
                (0...octets.count - word.count).contains { start in
                    Self.small(octets[start]) == first
                        && word.indices.allSatisfy { Self.small(octets[start + $0]) == word[$0] }
                }
            }
        }

        private static func small(_ octet: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) ? octet | 0x20 : octet
        }

        // MARK: - Hashable

        static func == (one: SystemName, other: SystemName) -> Bool {
            guard one.octets.count == other.octets.count else { return false }
            return one.octets.withUnsafeBytes { one in
                other.octets.withUnsafeBytes { other in
                    guard let first = one.baseAddress, let second = other.baseAddress else { return true }
                    return memcmp(first, second, one.count) == 0
                }
            }
        }

        func hash(into hasher: inout Hasher) {
            octets.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
#endif

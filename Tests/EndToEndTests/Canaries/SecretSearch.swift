/// Looks for all secrets of a run at once, in one pass over the bytes of a file.
struct SecretSearch {
    /// The first bytes of a spelling, by which it is found; no secret is shorter.
    static let windowByteCount = 6
    private static let windowMask: UInt64 = (1 << (8 * UInt64(windowByteCount))) - 1

    private var spellings: [UInt64: [(octets: [UInt8], kind: HarvestedSecret.Kind)]] = [:]
    private var mayEnd = [Bool](repeating: false, count: 1 << 16)

    init(for secrets: some Collection<HarvestedSecret>) {
        for secret in secrets {
            for octets in secret.spellings {
                precondition(octets.count >= Self.windowByteCount, "a \(secret.kind) is too short to be looked for")
                let window = octets.prefix(Self.windowByteCount).reduce(0) { $0 << 8 | UInt64($1) }
                spellings[window, default: []].append((octets, secret.kind))
                mayEnd[Int(window & 0xFFFF)] = true
            }
        }
    }

    /// The kinds of the secrets that stand in some bytes.
    func kinds(in octets: [UInt8]) -> Set<HarvestedSecret.Kind> {
        var found: Set<HarvestedSecret.Kind> = []
        var window: UInt64 = 0
        octets.withUnsafeBufferPointer { octets in
            mayEnd.withUnsafeBufferPointer { mayEnd in
                for index in octets.indices {
                    window = (window << 8 | UInt64(octets[index])) & Self.windowMask
                    guard mayEnd[Int(window & 0xFFFF)], let candidates = spellings[window] else { continue }
                    let start = index + 1 - Self.windowByteCount
                    for candidate in candidates where Self.stands(candidate.octets, at: start, in: octets) {
                        found.insert(candidate.kind)
                    }
                }
            }
        }
        return found
    }

    /// Digits stand there only when the number is no longer than they are: a time holds many numbers.
    private static func stands(_ octets: [UInt8], at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = start + octets.count
        guard start >= 0, end <= text.count, text[start..<end].elementsEqual(octets) else { return false }
        guard octets.allSatisfy(isDigit) else { return true }
        return !(start > 0 && isDigit(text[start - 1])) && !(end < text.count && isDigit(text[end]))
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }
}

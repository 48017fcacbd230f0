import Crypto

/// SHA-256 over octets that come piece by piece, such as a large file.
package struct RunningHash: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func add(_ octets: ArraySlice<UInt8>) { hash.update(data: octets) }

    /// Hash over what was added, as hexadecimal digits.
    package var text: String {
        hash.finalize().octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

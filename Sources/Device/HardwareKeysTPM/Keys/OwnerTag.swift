import Crypto
import HardwareKeys

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tag of an account of a machine on the chip memory that it takes.
///
/// The number under which the chip keeps an index follows from the account and from the policy of the index, which is
/// unique. So the account finds its indices again when the files that knew them are gone; that another index carries
/// the mark by chance is one in four millions.
struct OwnerTag: Hashable, Sendable {
    private let account: [UInt8]

    /// The mark of an account, which any bytes name.
    init(account: [UInt8]) { self.account = account }

    /// The mark of the account that this process runs for, on this installation of the operating system.
    static let current = OwnerTag(account: Array("\(geteuid()) ".utf8) + machineIdentifier)

    func number(for policy: PolicyDigest) -> UInt32 { number(for: policy.octets) }

    /// Whether the account has made the index of a number.
    func marks(_ number: UInt32, withPolicy policy: [UInt8]) -> Bool {
        Index.range.contains(number) && self.number(for: policy) == number
    }

    private func number(for policy: [UInt8]) -> UInt32 {
        let hash = SHA256.hash(data: Array("signet index v1 ".utf8) + account + policy)
        let spread = hash.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Index.range.lowerBound + spread % UInt32(Index.range.count)
    }

    /// machine-id(5); empty where there is none.
    private static let machineIdentifier: [UInt8] = {
        guard let file = fopen("/etc/machine-id", "r") else { return [] }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 32)
        return Array(text.prefix(fread(&text, 1, text.count, file)))
    }()
}

import Crypto
import HardwareKeys
import Octets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Register of the account: the indices that its vaults have made, each with the directory of the vault.
///
/// An index is written down before the chip is told of it. What does not stand here is never an orphan, so a register
/// that is lost, damaged or cannot be kept frees nothing that a vault may need.
struct IndexRegister: Sendable {
    /// An index, and a directory whose vault has made it or was opened with it.
    struct Line: Hashable, Sendable {
        let number: UInt32
        let policy: PolicyDigest
        let directory: String
    }

    /// Bytes of some 300 lines, of which an account needs 32; the oldest go first.
    private static let byteLimit = 65_536
    private static let checkByteCount = 8

    private let directory: String?
    private let fileSystem: any FileSystem

    /// The register in a directory; without one nothing is written down.
    init(in directory: String?, of fileSystem: any FileSystem) {
        self.directory = directory
        self.fileSystem = fileSystem
    }

    /// Directory of the register: `signet-tpm` in `$XDG_STATE_HOME` or `~/.local/state`; nil where there is neither.
    static let standardDirectory: String? = {
        func path(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (path("XDG_STATE_HOME") ?? path("HOME").map { $0 + "/.local/state" }).map { $0 + "/signet-tpm" }
    }()

    /// The lines, oldest first; none where the register cannot be read, and not those that are damaged.
    func lines() -> [Line] { directory.map(lines) ?? [] }

    /// Writes indices of a vault down, as far as the register can be kept.
    func note(_ entries: [JournalEntry], ofVaultIn vault: String) {
        guard let vault = Self.canonical(vault) else { return }
        change { lines in
            let new = entries.map { Line(number: $0.number, policy: $0.policy, directory: vault) }
            return lines + new.filter { !lines.contains($0) }
        }
    }

    /// Whether an index is written down for a vault.
    func knows(_ entry: JournalEntry, ofVaultIn vault: String) -> Bool {
        guard let vault = Self.canonical(vault) else { return false }
        return lines().contains(Line(number: entry.number, policy: entry.policy, directory: vault))
    }

    /// Strikes out an index that the chip has no more.
    func forget(_ number: UInt32, withPolicy policy: [UInt8]) {
        change { $0.filter { $0.number != number || $0.policy.octets != policy } }
    }

    private func lines(in directory: String) -> [Line] {
        guard let octets = try? file(in: directory).read(atMost: Self.byteLimit) else { return [] }
        return octets.split(separator: UInt8(ascii: "\n")).compactMap { Self.line($0) }
    }

    private func change(_ change: ([Line]) -> [Line]) {
        guard let directory else { return }
        do throws(FileSystemError) {
            try fileSystem.makeDirectory(directory)
            let lock = try fileSystem.blockingLock(directory + "/lock")
            defer { lock.release() }
            let lines = lines(in: directory)
            let changed = change(lines)
            guard changed != lines else { return }
            var octets: [UInt8] = []
            for line in changed.reversed().map(Self.octets) {
                guard octets.count + line.count <= Self.byteLimit else { break }
                octets = line + octets
            }
            try file(in: directory).replace(with: octets)
        } catch {
            return
        }
    }

    private func file(in directory: String) -> AtomicFile {
        AtomicFile(named: "indices", in: directory, of: fileSystem)
    }

    /// The absolute path of a directory; nil when it is not there, or has a name that a line cannot hold.
    private static func canonical(_ directory: String) -> String? {
        guard let octets = PosixFileSystem.canonicalPath(of: directory) else { return nil }
        return octets.contains(UInt8(ascii: "\n")) ? nil : String(validUTF8: octets)
    }

    // MARK: - Lines: a checksum, number and policy in hexadecimal digits, and the directory

    private static func octets(_ line: Line) -> [UInt8] {
        let content = [line.number.bigEndian.octets, line.policy.octets].map(Hex.encode) + [line.directory]
        let text = content.joined(separator: " ")
        return Array("\(check(text)) \(text)\n".utf8)
    }

    private static func line(_ octets: ArraySlice<UInt8>) -> Line? {
        guard let text = String(validUTF8: octets) else { return nil }
        let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == check(parts[1...].joined(separator: " ")),
            let number = UInt32(parts[1], radix: 16), let octets = try? Hex.decode(parts[2]),
            let policy = PolicyDigest(octets: octets)
        else { return nil }
        return Line(number: number, policy: policy, directory: parts[3])
    }

    /// A changed path would make an orphan of what a vault needs.
    private static func check(_ text: String) -> String {
        Hex.encode(SHA256.hash(data: Array(text.utf8)).prefix(checkByteCount))
    }
}

extension UInt32 {
    fileprivate var octets: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}

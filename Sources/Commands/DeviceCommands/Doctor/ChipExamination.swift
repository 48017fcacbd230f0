import ArgumentParser
import CommandSupport
import Foundation
import HardwareKeys
import HardwareKeysTPM
import StrictJSON

/// Options of `signet doctor --tpm`.
struct ChipExaminationOptions: ParsableArguments {
    @Flag(help: "Look at the memory of the TPM instead of a server.")
    var tpm = false

    @Option(help: ArgumentHelp("The connection to the chip, with --tpm.", valueName: "TCTI"))
    var tcti: String?

    @Option(
        help: ArgumentHelp("A phone or a directory of storages that is still needed; repeatable.", valueName: "DIR"))
    var keep: [String] = []

    @Option(help: ArgumentHelp("Remove an orphaned index from the chip; repeatable.", valueName: "NUMBER"))
    var reclaim: [String] = []

    @Flag(help: "Remove every orphaned index, after asking.")
    var reclaimOrphans = false

    @Flag(help: "Do what is asked about without asking; needed where there is no terminal.")
    var yes = false

    func validate() throws {
        guard tpm || (tcti == nil && keep.isEmpty && reclaim.isEmpty && !reclaimOrphans && !yes) else {
            throw ValidationError("--tcti, --keep, --reclaim and --yes go with --tpm.")
        }
        guard reclaim.allSatisfy({ Self.number($0) != nil }) else {
            throw ValidationError("--reclaim takes a number as the doctor prints it, such as 0x01801234.")
        }
    }

    var numbers: [UInt32] { reclaim.compactMap(Self.number) }

    private static func number(_ text: String) -> UInt32? {
        text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }
}

/// Check of a TPM's memory by `signet doctor --tpm`, which also reclaims indices.
struct ChipExamination {
    let options: ChipExaminationOptions
    let connection: TPMConnection
    /// Shows a question and tells whether the user agrees; nil without a terminal.
    let ask: (String) async -> Bool?

    init(
        options: ChipExaminationOptions, connection: TPMConnection? = nil,
        ask: @escaping (String) async -> Bool? = Self.askAtTerminal
    ) {
        self.options = options
        self.connection = connection ?? options.tcti.map { TPMConnection($0) } ?? .system
        self.ask = ask
    }

    private static func askAtTerminal(_ question: String) async -> Bool? {
        guard let terminal = Terminal() else { return nil }
        guard case .line(let answer) = await terminal.ask(question + " [y/N] ") else { return false }
        return ["y", "yes"].contains(answer.line.lowercased())
    }

    /// Reclaims the requested indices, then describes those that are left.
    func findings() async -> [DoctorFinding] {
        let memory = TPMMemory(connection)
        var findings: [DoctorFinding] = []
        do throws(KeyVaultError) {
            findings += try await leftovers(in: memory)
            findings.append(try await room(of: memory, named: connection.name))
            for number in options.numbers { findings.append(await reclaim(number, from: memory)) }
            if options.reclaimOrphans {
                let orphans = try await memory.indices(ofVaultsIn: directories).filter(\.isOrphan)
                findings += await reclaim(orphans, from: memory)
            }
            let after = try await memory.indices(ofVaultsIn: directories)
            return findings + missing + after.compactMap(describe) + [others(in: after)]
        } catch {
            return findings + [unusable(error, connection.name)]
        }
    }

    private func isAllowed(_ question: String) async -> Bool? { options.yes ? true : await ask(question) }

    /// Flushes what ended programs left, when the user agrees.
    private func leftovers(in memory: TPMMemory) async throws(KeyVaultError) -> [DoctorFinding] {
        let count = try await memory.leftoverCount()
        guard count > 0 else { return [] }
        let what = "\(count) objects and sessions that ended programs left in the working memory of the TPM"
        guard await isAllowed("There are \(what). A program that still uses one fails once. Flush them?") == true else {
            return [
                DoctorFinding(
                    name: "leftovers", verdict: .weak, observation: "there are \(what)",
                    advice: "flush them with --yes, and use its resource manager (\(DeviceKeys.systemConnection))")
            ]
        }
        try await memory.flushLeftovers()
        return [DoctorFinding(name: "flushed", verdict: .well, observation: "flushed \(what)")]
    }

    /// Vaults of the given phones, directories of storages, and client directories.
    private var directories: [String] { options.keep.flatMap(Self.vaults) }

    private static func vaults(below path: String) -> [String] {
        [path, path + "/tpm-vault", path + "/tpm-keys"].filter { folder in
            ["vault", "journal"].contains { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        }
    }

    /// Given directories that contain no vault, most likely misspelt.
    private var missing: [DoctorFinding] {
        options.keep.filter { Self.vaults(below: $0).isEmpty }.map {
            DoctorFinding(
                name: "no-vault", verdict: .weak, observation: "\($0) has no vault of a TPM", advice: "check its path")
        }
    }

    private func room(of memory: TPMMemory, named name: String) async throws(KeyVaultError) -> DoctorFinding {
        guard let free = try await memory.freeCounters() else {
            return DoctorFinding(name: "tpm", verdict: .well, observation: "the TPM answers (\(name))")
        }
        let isFull = free == 0
        return DoctorFinding(
            name: "tpm", verdict: isFull ? .ill : .well,
            observation: "the TPM answers (\(name)) and has room for \(free) more counters",
            advice: isFull ? "reclaim what is orphaned" : nil)
    }

    private func reclaim(_ number: UInt32, from memory: TPMMemory) async -> DoctorFinding {
        let name = Self.text(number)
        do throws(KeyVaultError) {
            try await memory.reclaim(number, besides: directories)
            return DoctorFinding(name: "reclaimed", verdict: .well, observation: "\(name) is free again")
        } catch {
            let reason =
                switch error {
                case .unknownKey: "there is no such index"
                case .wrongUse: "a vault needs it, or another account has made it"
                default: CommandFailure(keys: error).message
                }
            return DoctorFinding(name: "not-reclaimed", verdict: .ill, observation: "\(name) stays: \(reason)")
        }
    }

    /// Reclaims orphans when the user agrees.
    private func reclaim(_ orphans: [TPMIndex], from memory: TPMMemory) async -> [DoctorFinding] {
        guard !orphans.isEmpty else { return [] }
        let list = orphans.compactMap(describe).map { "  " + $0.observation + "\n" }.joined()
        let question =
            list + "A phone that was moved, or is on a disk that is not there now, loses its keys. Free them?"
        let isAllowed = await isAllowed(question)
        guard isAllowed == true else {
            return [
                DoctorFinding(
                    name: "not-reclaimed", verdict: .ill, observation: "no orphaned counter was freed",
                    advice: isAllowed == nil ? "look at them, then give --yes as well" : nil)
            ]
        }
        var findings: [DoctorFinding] = []
        for orphan in orphans { findings.append(await reclaim(orphan.number, from: memory)) }
        return findings
    }

    /// Finding about an index; nil for what is not of this account.
    private func describe(_ index: TPMIndex) -> DoctorFinding? {
        let number = Self.text(index.number)
        let what = "\(number): counter of \(index.kind == .changes ? "changes" : "wrong PINs")"
        return switch index.owner {
        case .vault(let directory):
            DoctorFinding(name: "index", verdict: .well, observation: "\(what) of \(directory)")
        case .orphan(let directory):
            DoctorFinding(
                name: "orphan", verdict: .weak, observation: "\(what), made for \(directory), where no vault needs it",
                advice: "name a phone that was moved with --keep, or free it with --reclaim \(number)")
        case .unregistered:
            DoctorFinding(
                name: "unregistered", verdict: .weak,
                observation: "\(what) that has the mark of this account, and is not in its register",
                advice:
                    "a phone under another home, or in a container with this machine-id, may need it: if none does, "
                    + "free it with --reclaim \(number)")
        case .other: nil
        }
    }

    private func others(in indices: [TPMIndex]) -> DoctorFinding {
        let count = indices.count { $0.owner == .other }
        return DoctorFinding(
            name: "others", verdict: .well, observation: "\(count) of other programs and accounts; none is touched")
    }

    private func unusable(_ error: KeyVaultError, _ name: String) -> DoctorFinding {
        let failure = CommandFailure(keys: error)
        let observation =
            error == .damaged
            ? "a vault that was named cannot be read, so its needs are unknown" : failure.message
        return DoctorFinding(name: "tpm", verdict: .ill, observation: "\(observation) (\(name))")
    }

    private static func text(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return "0x" + String(repeating: "0", count: max(8 - digits.count, 0)) + digits
    }
}

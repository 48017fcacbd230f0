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

    @Flag(help: "Remove every orphaned index: what was not named with --keep and is still needed is lost.")
    var reclaimOrphans = false

    func validate() throws {
        guard tpm || (tcti == nil && keep.isEmpty && reclaim.isEmpty && !reclaimOrphans) else {
            throw ValidationError("--tcti, --keep and --reclaim go with --tpm.")
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

    /// Reclaims the requested indices, then describes those that are left.
    func findings() async -> [DoctorFinding] {
        let connection = options.tcti.map { TPMConnection($0) } ?? .system
        let memory = TPMMemory(connection)
        do throws(KeyVaultError) {
            let before = try await memory.indices(ofVaultsIn: directories)
            var numbers = options.numbers
            if options.reclaimOrphans {
                numbers += before.filter { $0.owner == .orphan && !numbers.contains($0.number) }.map(\.number)
            }
            var findings = [try await room(of: memory, named: connection.name)]
            for number in numbers { findings.append(await reclaim(number, from: memory)) }
            let after = try await memory.indices(ofVaultsIn: directories)
            return findings + missing + tell(of: after)
        } catch {
            return [unusable(error, connection.name)]
        }
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
                case .wrongUse: "it is not orphaned: a vault needs it, or another account has made it"
                default: CommandFailure(keys: error).message
                }
            return DoctorFinding(name: "not-reclaimed", verdict: .ill, observation: "\(name) stays: \(reason)")
        }
    }

    private func tell(of indices: [TPMIndex]) -> [DoctorFinding] {
        let own = indices.filter { $0.owner != .other }.map { index in
            let what = index.kind == .changes ? "counter of changes" : "counter of wrong PINs"
            guard case .vault(let directory) = index.owner else {
                return DoctorFinding(
                    name: "orphan", verdict: .weak,
                    observation: "\(Self.text(index.number)): \(what) of this account, not of a vault that you named",
                    advice: "name its directory with --keep, or give it back with --reclaim \(Self.text(index.number))")
            }
            return DoctorFinding(
                name: "index", verdict: .well, observation: "\(Self.text(index.number)): \(what) of \(directory)")
        }
        let others = indices.count - own.count
        return own + [
            DoctorFinding(
                name: "others", verdict: .well, observation: "\(others) of other programs and accounts; none is touched"
            )
        ]
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

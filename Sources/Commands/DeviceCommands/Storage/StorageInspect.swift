import ArgumentParser
import CommandSupport
import HardwareKeys
import SecureStorage
import StrictJSON

struct StorageInspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what the file of a storage says about itself; needs no key and checks nothing.")

    @OptionGroup var storage: StorageOptions

    func run() async throws {
        try await storage.report {
            let configuration = SecureStorage.Configuration(hardware: .none, directory: storage.directory)
            let found = try SecureStorage.inspect(fileName: storage.name, configuration: configuration)
            return CommandReport.Outcome(text: TerminalText(lines: Self.lines(found)), result: Self.json(found))
        }
    }

    private static func lines(_ found: SecureStorage.Inspection) -> [String] {
        [
            "format: SST \(found.formatVersion)", "storage: \(found.storageID)",
            "written: \(found.generation) times", "entries: \(found.entryCount)", "bytes: \(found.byteCount)",
            "key: \(found.provider.description)", "user: \(found.protection.description)",
            "fingerprint: \(found.needsFingerprint ? "needed" : "not used")",
            "passphrase: \(found.kdf?.description ?? "not used")",
            "rollback counter: \(found.anchor == 0 ? "not used" : "\(found.anchor)")",
            "names: \(found.names.map { $0.joined(separator: ", ") } ?? "encrypted")",
        ]
    }

    private static func json(_ found: SecureStorage.Inspection) -> JSONObject {
        JSONObject([
            "formatVersion": .string(found.formatVersion), "storageID": .string(found.storageID),
            "generation": .string(String(found.generation)), "anchor": .string(String(found.anchor)),
            "entryCount": .integer(found.entryCount), "byteCount": .integer(found.byteCount),
            "provider": .string(found.provider.description), "protection": .string(found.protection.description),
            "needsFingerprint": .bool(found.needsFingerprint), "needsPassphrase": .bool(found.kdf != nil),
            "names": found.names.map { .array($0.map(JSONValue.string)) } ?? .null,
        ])
    }
}

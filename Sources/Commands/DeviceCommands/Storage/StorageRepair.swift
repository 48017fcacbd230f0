import ArgumentParser
import CommandSupport
import SecureStorage
import StrictJSON

struct StorageRepair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Name the entries that are damaged, and give them up when told to.",
        discussion: """
            All other entries stay. Where the file has lost which entries were changed or named, --give-up leaves them with \
            an older value, or takes them away.
            """)

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    @Flag(help: "Remove what is damaged; without it nothing is changed.")
    var giveUp = false

    func run() async throws {
        try await storage.report {
            do {
                return try await perform(on: key.openExisting(storage), hasLost: false)
            } catch SecureStorageError.entriesLost where giveUp {
                return try await perform(on: key.openExisting(storage, givingUpLost: true), hasLost: true)
            }
        }
    }

    private func perform(on storage: SecureStorage, hasLost: Bool) async throws -> CommandReport.Outcome {
        let names = try storage.damagedNames()
        if giveUp, hasLost || !names.isEmpty {
            for name in names { try storage.remove(forKey: name) }
            try await storage.write()
        }
        let list = names.joined(separator: ", ")
        let text: TerminalText =
            switch (names.isEmpty, giveUp) {
            case (true, _): hasLost ? "" : "No entry is damaged."
            case (false, true): hasLost ? "Given up: \(list). " : "Given up: \(list)."
            case (false, false): "Damaged: \(list). All others are whole. --give-up removes these."
            }
        let loss: TerminalText = hasLost ? "Entries that nothing named any more have an older value, or are gone." : ""
        return CommandReport.Outcome(
            text: text + loss,
            result: JSONObject([
                "damaged": .array(names.map(JSONValue.string)), "hasLostNames": .bool(hasLost),
                "givenUp": .bool(giveUp),
            ]))
    }
}

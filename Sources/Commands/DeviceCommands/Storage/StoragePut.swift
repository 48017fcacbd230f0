import ArgumentParser
import CommandSupport
import Foundation
import Octets
import SecureStorage
import StrictJSON

struct StoragePut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Store a value from a file or from standard input under a name.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    @Option(help: ArgumentHelp("The name of the entry.", valueName: "NAME"))
    var entry: String

    @Option(help: ArgumentHelp("The file that holds the value; without it standard input is read.", valueName: "FILE"))
    var valueFile: String?

    @Flag(help: "Store bytes as they are; otherwise text in UTF-8, without one line break at its end.")
    var bytes = false

    func run() async throws {
        try await storage.report {
            let value = try StoredInput(path: valueFile).octets()
            let opened = try await key.openExisting(storage)
            try await opened.update { [bytes, entry] draft throws(SecureStorageError) in
                if bytes {
                    try draft.putBytes(value, forKey: entry)
                } else {
                    guard let text = StoredInput.text(value) else { throw .valueInvalid }
                    try draft.putString(text, forKey: entry)
                }
            }
            return CommandReport.Outcome(
                text: "The storage \(storage.name) has \(opened.count) entries.",
                result: JSONObject(["name": .string(storage.name), "entryCount": .integer(opened.count)]))
        }
    }
}

struct StoredInput {
    private static let sizeLimit = 16 << 20

    /// Path of the file; nil for standard input.
    let path: String?

    func octets() throws(CommandFailure) -> [UInt8] {
        let file = path.map { FileHandle(forReadingAtPath: $0) } ?? FileHandle.standardInput
        guard let file, let content = try? file.read(upToCount: Self.sizeLimit + 1) ?? Data(),
            content.count <= Self.sizeLimit
        else { throw .local("ValueUnreadable", "the value cannot be read, or has more than 16 MiB") }
        return [UInt8](content)
    }

    /// The bytes as text without one trailing line break; nil when they are not UTF-8.
    static func text(_ octets: [UInt8]) -> String? {
        var octets = octets[...]
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        return String(validating: octets, as: UTF8.self)
    }
}

struct StorageGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the value of a name: text as it is, bytes in hexadecimal.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    @Option(help: ArgumentHelp("The name of the entry.", valueName: "NAME"))
    var entry: String

    func run() async throws {
        try await storage.report {
            let opened = try await key.openExisting(storage)
            let (type, text) = try Self.described(opened, entry)
            return CommandReport.Outcome(
                text: TerminalText(value: text),
                result: JSONObject([
                    "name": .string(storage.name), "entry": .string(entry), "type": .string(type),
                    "value": .string(text),
                ]))
        }
    }

    private static func described(
        _ storage: SecureStorage, _ entry: String
    ) throws(SecureStorageError) -> (type: String, text: String) {
        do {
            return ("string", try storage.getString(forKey: entry))
        } catch .incorrectGetter {
            return ("bytes", Hex.encode(try storage.getBytes(forKey: entry)))
        }
    }
}

struct StorageList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the names of the entries.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    func run() async throws {
        try await storage.report {
            let names = try await key.openExisting(storage).names()
            return CommandReport.Outcome(
                text: TerminalText(lines: names),
                result: JSONObject([
                    "name": .string(storage.name), "entries": .array(names.map(JSONValue.string)),
                ]))
        }
    }
}

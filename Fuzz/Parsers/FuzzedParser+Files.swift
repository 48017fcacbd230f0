import OpenID
import ServerAdministration
import ServerCore
import UAF

extension FuzzedParser {
    /// Parsers of files of another server, which an operator imports.
    static let imports: [FuzzedParser] = [
        importing("import-jsonl") { JSONLinesReader(ByteLines($0)) },
        importing("import-ldif") { LDIFReader(ByteLines($0), try ImportMap()) },
        importing("import-csv") { CSVReader(ByteLines($0), try ImportMap()) },
        importing("import-keycloak") { try KeycloakReader($0) },
        reading("import-map") { _ = try ImportMap($0) },
    ]

    /// Parsers of files beside the configuration.
    static let configurations = [reading("policy-file") { _ = try PolicyFile($0) }]

    /// Reads all entries of a file and their objects; it accepts a file with an object that would be imported.
    private static func importing(
        _ name: String, _ open: @escaping @Sendable ([UInt8]) throws -> any ImportReader
    ) -> FuzzedParser {
        reading(name) { bytes in
            guard let appID = AppID("https://server.example/facets") else { return }
            let objects = ImportObjectReader(
                metadata: .product, appID: appID, random: SystemRandomSource(), now: Timestamp(milliseconds: 0))
            let reader = try open(bytes)
            var isTaken = false
            while let entry = try reader.next() {
                switch entry.content {
                case .json(let line): isTaken = (try? objects.object(line)) != nil || isTaken
                case .objects(let made):
                    for object in made { isTaken = (try? objects.object(object)) != nil || isTaken }
                case .fault: continue
                }
            }
            guard isTaken else { throw ImportFault("has no object") }
        }
    }
}

/// Lines of a file in memory.
private final class ByteLines: ImportLines {
    private static let limit = 64 << 10

    private var lines: [ArraySlice<UInt8>]

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).reversed()
    }

    func next() -> ImportLine? {
        lines.popLast().map { line in
            guard line.count <= Self.limit else { return nil }
            return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }
}

import Foundation
import Testing

/// Looks at the names only, so that a file added to the folder cannot stay unread unnoticed; what a suite makes of it
/// is the business of the suite.
@Suite("Test vectors")
struct VectorCoverageTests {
    /// Files for parts that are not there yet: passkeys, and the metadata of the closed SDK field by field.
    private static let later: Set = ["webauthn/spec-vectors.json", "uaf/closed-sdk-metadata.json"]
    private static let environment = ProcessInfo.processInfo.environment

    private static var folder: URL {
        if let named = environment["SIGNET_VECTORS"] { return URL(filePath: named, directoryHint: .isDirectory) }
        return URL(filePath: #filePath).appending(path: "../../../../shared/vectors").standardizedFileURL
    }

    private static var isExpected: Bool {
        environment["CI"] == "true" || environment["SIGNET_VECTORS"] != nil
            || FileManager.default.fileExists(atPath: folder.path())
    }

    @Test("O-J5: every file below the folder of vectors is named by a suite", .enabled(if: isExpected))
    func everyFileIsRead() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path()).filter {
            $0.hasSuffix(".json")
        }
        #expect(!paths.isEmpty)
        let suites = VectorMentions(
            Repository.files.filter { $0.path.hasPrefix("Tests/") && $0.name != "VectorCoverageTests" }.map(\.text))
        let manifest =
            (try? String(contentsOf: Self.folder.appending(path: "uaf/manifest.json"), encoding: .utf8)) ?? ""
        let unread = paths.filter { path in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            // The suites of recorded assertions take their files from the manifest.
            let isListed = path.hasPrefix("uaf/") && manifest.contains("\"\(name)\"")
            return !isListed && !suites.name(path) && !Self.later.contains(path)
        }
        #expect(unread.isEmpty, "no suite reads \(unread.sorted().joined(separator: ", "))")
    }

    @Test("O-J5: a mention counts when it fits the whole name, a listing when it fits the folder and the prefix")
    func mentions() {
        let suites = VectorMentions([
            #"read("kdf/scrypt.json"); file("hmac_sha256"); file("rsa_\(bits)_sha256"); files(in: "a", prefix: "b-")"#
        ])
        #expect(suites.name("kdf/scrypt.json") && suites.name("wycheproof/hmac_sha256_test.json"))
        #expect(suites.name("wycheproof/rsa_3072_sha256_test.json") && suites.name("a/b-c.json"))
        #expect(!suites.name("kdf/scrypt-parameters.json") && !suites.name("a/c.json") && !suites.name("x/b-c.json"))
        #expect(!suites.name("wycheproof/hmac_sha256_params_test.json"))
    }
}

/// Names of vector files in the literals of test sources; an interpolation stands for any text.
struct VectorMentions {
    private var names: Set<String> = []
    private var patterns: [(start: String, end: String)] = []
    private var listings: [(folder: String, prefix: String)] = []

    init(_ sources: [String]) {
        for source in sources {
            for match in source.matches(of: /"((?:[^"\\\n]|\\\([^)]*\))*)"/) {
                let parts = String(match.1).split(separator: /\\\([^)]*\)/, omittingEmptySubsequences: false)
                if parts.count == 1 {
                    names.insert(String(match.1))
                } else if let first = parts.first, let last = parts.last, first.count >= 4 {
                    patterns.append((String(first), String(last)))
                }
            }
            for match in source.matches(of: /files\(in: "([^"]+)"(?:, prefix: "([^"]*)")?/) {
                listings.append((String(match.1), match.2.map { String($0) } ?? ""))
            }
        }
    }

    /// Whether a literal names the file: by its path, its name, or what is left without `.json` and `_test`.
    func name(_ path: String) -> Bool {
        let components = path.split(separator: "/").map(String.init)
        let file = components.last ?? path
        let stem = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        let subject = stem.hasSuffix("_test") ? String(stem.dropLast(5)) : stem
        let forms = [path, file, stem, subject]
        if forms.contains(where: names.contains) { return true }
        let folder = components.dropLast().joined(separator: "/")
        if listings.contains(where: { $0.folder == folder && file.hasPrefix($0.prefix) }) { return true }
        return [file, stem, subject].contains { form in
            patterns.contains {
                form.hasPrefix($0.start) && form.hasSuffix($0.end) && form.count > $0.start.count + $0.end.count
            }
        }
    }
}

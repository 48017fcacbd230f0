import Foundation
import RelyingParty
import Testing

@Suite("docs/security/uaf-checks.md says what the server checks")
struct CheckPageTests {
    @Test("The page is the one that the reasons, the rules and the tests make")
    func page() throws {
        let text = try CheckPage.text()
        if ProcessInfo.processInfo.environment["SIGNET_WRITE_DOCS"] == "1" {
            let location = PackageFolder.location.appending(path: CheckPage.path)
            try text.write(to: location, atomically: true, encoding: .utf8)
        }
        let written = try PackageFolder.text(of: CheckPage.path)
        #expect(written == text, "SIGNET_WRITE_DOCS=1 writes \(CheckPage.path), which has to be\n\(text)")
    }

    @Test("Every reason to refuse is among the samples, and some check finds it")
    func reasons() throws {
        let declared = try PackageFolder.commentsOfCases(in: "Sources/Server/RelyingParty/RefusalReason.swift").keys
        #expect(RefusalSample.names(of: RefusalSample.reasons).sorted() == declared.sorted())
        for reason in RefusalSample.reasons {
            let rules = Rule.Operation.allCases.compactMap { reason.rule(for: $0) }
            #expect(!rules.isEmpty, "no check finds \(reason)")
        }
    }

    @Test("Every check has an entry, tests and a reason, and no reason has another", arguments: Rule.Operation.allCases)
    func numbers(operation: Rule.Operation) {
        let count = Rule.entries(of: operation).count
        let found = Set(RefusalSample.reasons.compactMap { $0.rule(for: operation)?.check })
        #expect(found == Set(1...count))
        #expect(CheckProof.list(of: operation).count == count)
    }

    @Test("The files of a check throw its reasons", arguments: Rule.Operation.allCases)
    func files(operation: Rule.Operation) throws {
        for (index, entry) in Rule.entries(of: operation).enumerated() {
            let texts = try entry.files.map { try PackageFolder.text(of: "Sources/Server/\($0)") }
            for name in RefusalSample.names(of: RefusalSample.reasons(of: index + 1, in: [operation])) {
                let isThrown = texts.contains { $0.contains("throw .\(name)") || $0.contains(".failure(.\(name)") }
                #expect(isThrown, "\(name), check \(index + 1) of \(operation)")
            }
        }
    }

    @Test("Every check is proved by tests that exist, of both outcomes", arguments: Rule.Operation.allCases)
    func proofs(operation: Rule.Operation) throws {
        let sources = try Self.testSources()
        for (index, proof) in CheckProof.list(of: operation).enumerated() {
            #expect(!proof.accepting.isEmpty && !proof.refusing.isEmpty, "check \(index + 1) of \(operation)")
            for test in proof.accepting + proof.refusing {
                let names = test.split(separator: ".")
                let source = sources["\(names[0])"] ?? ""
                #expect(source.contains("func \(names[1])("), "\(test) does not exist")
            }
        }
    }

    /// The test files of the checks, by the names of their suites.
    private static func testSources() throws -> [String: String] {
        var sources: [String: String] = [:]
        for target in ["RelyingPartyTests", "UAFServiceTests"] {
            let folder = PackageFolder.location.appending(path: "Tests/\(target)")
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) {
                let file = path.split(separator: "/").last.map(String.init) ?? path
                guard file.hasSuffix(".swift") else { continue }
                sources[String(file.dropLast(6))] = try PackageFolder.text(of: "Tests/\(target)/\(path)")
            }
        }
        return sources
    }
}

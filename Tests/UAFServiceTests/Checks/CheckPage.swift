import Foundation
import RelyingParty
import ServerCore
import UAF

/// The page `docs/security/uaf-checks.md`, composed from the reasons to refuse, the rules and the tests of the checks.
enum CheckPage {
    static let path = "docs/security/uaf-checks.md"

    static func text() throws -> String {
        let shared = Rule.sharedEntries.count
        var lines = [head, "", "## Registration and authentication", ""]
        lines += table(1...shared, of: [.registration, .authentication])
        lines += ["", "## Registration", ""]
        lines += table((shared + 1)...Rule.entries(of: .registration).count, of: [.registration])
        lines += ["", "## Authentication", ""]
        lines += table((shared + 1)...Rule.entries(of: .authentication).count, of: [.authentication])
        lines += ["", "## At the commit", "", commitHead, ""]
        lines += try commitTable()
        return lines.joined(separator: "\n") + "\n"
    }

    private static let head = """
        # Checks of the server

        The checks that `RelyingParty` and `ServerCore` make of a registration and an authentication response, in the order of the
        processing rules of FIDO UAF Protocol 1.1. The numbers and the status codes are choices of this project; the standard
        assigns none. Audit and log name a check by operation and number, for example `registration 8`.

        This page is written by the tests from `RefusalReason`, `Rule` and `CommitRefusal`. After a change of these,
        `SIGNET_WRITE_DOCS=1 script/test UAFService/CheckPageTests` writes it anew; otherwise the test compares.

        - A refusal by checks 1 to 7, or for the number and the form of the assertions (9), consumes nothing: it is not shown
          that the response belongs to the request. From the challenge (8) on a refusal consumes the challenge.
        - The scheme (9) and the checks from 10 on are made of each assertion. An assertion that fails is skipped. The response
          is refused when the others fill no accepted set, with the status of the first that was skipped.
        - Sections without a document belong to FIDO UAF Protocol 1.1; the steps are in our words. Files lie under
          `Sources/Server`. A test is named by its suite and its function.
        """

    private static let commitHead = """
        A response that passed is judged once more by the transaction that writes its outcome, since the state it was judged by
        can have changed. The reasons stand in `ServerCore/Domain/Commit.swift`; `UnitOfWork` is the port that answers with them.
        """

    // MARK: - Rows

    private static func table(_ numbers: ClosedRange<Int>, of operations: [Rule.Operation]) -> [String] {
        let head = [
            "| # | check | step of the standard | status | reason | file | accepted by | refused by |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        return head + numbers.map { row($0, of: operations) }
    }

    private static func row(_ number: Int, of operations: [Rule.Operation]) -> String {
        let entry = Rule.entries(of: operations[0])[number - 1]
        let proof = CheckProof.list(of: operations[0])[number - 1]
        let section = entry.section ?? operations.map(\.section).joined(separator: ", ")
        let reasons = RefusalSample.reasons(of: number, in: operations)
        let statuses = Set(reasons.map(\.status.rawValue)).sorted().map { "\($0)" }
        let names = RefusalSample.names(of: reasons)
        let cells = [
            "\(number)", entry.demand, "\(section): \(entry.step)", statuses.joined(separator: ", "), code(names),
            code(entry.files), code(proof.accepting), code(proof.refusing),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func commitTable() throws -> [String] {
        let comments = try PackageFolder.commentsOfCases(in: "Sources/Server/ServerCore/Domain/Commit.swift")
        let rows = CommitRefusal.allCases.map { refusal in
            "| `\(refusal.rawValue)` | \(comments[refusal.rawValue] ?? "") | \(refusal.statusCode.rawValue) |"
        }
        return ["| reason | what did not hold | status |", "| --- | --- | --- |"] + rows
    }

    private static func code(_ words: [String]) -> String {
        words.map { "`\($0)`" }.joined(separator: ", ")
    }
}

/// The files of the package that contains this test.
enum PackageFolder {
    static let location = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    static func text(of path: String) throws -> String {
        try String(contentsOf: location.appending(path: path), encoding: .utf8)
    }

    /// The first paragraph of the documentation comment above each case that a file declares, by the name of the case.
    static func commentsOfCases(in path: String) throws -> [String: String] {
        var comments: [String: String] = [:]
        var above: [String] = []
        for line in try text(of: path).split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("///") {
                above.append(String(words.dropFirst(3).drop { $0 == " " }))
                continue
            }
            if let match = words.prefixMatch(of: /case (\w+)/) {
                comments[String(match.1)] = above.prefix { !$0.isEmpty }.joined(separator: " ")
            }
            above = []
        }
        return comments
    }
}

import CommandSupport
import Foundation
import StrictJSON
import Testing

/// Lets a program that shares no line with Signet look at the assertions of kept exchanges
/// (`Tests/Interop/verify_assertions.py`).
struct ForeignVerification {
    /// "AAID algorithm" of each verified registration, in the order of the exchanges.
    let registrations: [String]
    /// "AAID algorithm" of each verified authentication.
    let authentications: [String]

    /// Runs the program on what ``ResponseRecorder`` has kept below a folder; fails the test when it finds anything wrong.
    static func report(on exchanges: URL) async throws -> ForeignVerification {
        let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Interop/verify_assertions.py")
        // Debian's own interpreter: it is the one that script/bootstrap gives the cryptography package to.
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/python3"), [program.path(), exchanges.path()],
            folder: exchanges.deletingLastPathComponent(), name: "foreign-verification")
        let ending = await process.ending()
        let line = try #require(ending.output.split(separator: "\n").last.map(String.init), "\(ending.complaints)")
        let answer = try JSONParser.parse(line).asObject()
        #expect(ending.code == 0 && answer["ok"] == .bool(true), "\(ending.complaints)")
        return ForeignVerification(
            registrations: try entries(answer, "registrations"), authentications: try entries(answer, "authentications")
        )
    }

    private static func entries(_ answer: JSONObject, _ name: String) throws -> [String] {
        try answer.required(name) { value throws(JSONTypeError) in
            try value.asArray().map { entry throws(JSONTypeError) in
                let members = try entry.asObject()
                let aaid = try members.required("aaid") { value throws(JSONTypeError) in try value.asString() }
                let algorithm = try members.required("algorithm") { value throws(JSONTypeError) in
                    try value.asInteger(Int.self)
                }
                return "\(aaid) \(algorithm)"
            }
        }
    }
}

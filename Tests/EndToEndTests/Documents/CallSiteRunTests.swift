import CommandSupport
import Foundation
import TestSupport
import Testing

@Suite(
    "The call sites of applications of the closed SDK, run against a server", .serialized,
    .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
struct CallSiteRunTests {
    @Test(
        "D-H3: in both language modes they register, change the PIN, sign in, and follow codes and links",
        arguments: ["CallSitePlayer", "CallSitePlayerSwift5"])
    func callSites(program: String) async throws {
        let chip = try SoftwareTPM()
        let stage = try await DocumentedProgram(
            settings: """
                authorization: {registration: none}
                fido-uaf:
                  facets: ["ios:bundle-id:\(program)"]

                """, users: ["anna", "ben", "carl"])
        defer { stage.server.kill() }
        /// What the application has shown.
        func play(_ what: String, _ user: String, _ text: String = "") throws -> [Substring] {
            let ending = try stage.run(program, [what] + stage.place + [user, text], chip: chip)
            #expect(ending.status == 0, "\(what): \(ending.complaints)")
            return ending.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        }
        // The last line is who is registered then; "0" is how many errors the synchronization had.
        #expect(
            try play("in-band", "anna") == ["anna", "registered", "changed", "deregistered", "changed", "0", ""])
        #expect(try play("code", "ben", try await stage.scan("register", for: "ben")) == ["registered", "ben"])
        #expect(try play("link", "carl", try await stage.link("register", for: "carl")) == ["registered", "ben,carl"])
        let login = try play("code", "ben", try await stage.scan("authenticate", for: "ben"))
        #expect(login.last == "ben,carl" && login.count == 2, "\(login)")
    }
}

import DemoCommands
import Foundation
import Testing

/// `docs/operate/questions.md`: each question of the first week has one command, which answers it.
extension FirstTrialTests {
    private typealias Play = (String, [TrialFolder.Step])

    private static let health: Play = ("signet-server doctor", [.shows("backup")])
    private static let people: [Play] = [
        ("signet-server config check", [.shows("profile: development")]),
        ("signet-server migrate status", [.shows("run at")]),
        ("signet-server outgoing list --dead", [.shows("There are no messages.")]),
        ("signet-server users list", [.shows("jeff")]),
        ("signet-server users import people.csv -m 'new colleagues'", [.shows("2 ")]),
        ("signet-server users add anna --invite --out anna.png -m 'new colleague'", [.shows("anna.png")]),
        ("signet-server users show jeff", [.shows("jeff")]),
    ]
    private static let lock: Play = ("signet-server users lock jeff -m 'asked by phone'", [.shows("jeff")])
    private static let unlock: Play = ("signet-server users unlock jeff -m 'all is well'", [.shows("jeff")])
    private static let phones: [Play] = [
        (
            "signet-server sessions end --user jeff -m 'left a browser open'",
            [.shows("Ended all sessions and tokens of jeff.")]
        ),
        ("signet-server devices list --user jeff", [.shows("Jeff's phone"), .shows("F1D0#1001")]),
        ("signet-server dispatch register --user jeff --out second.png -m 'a second phone'", [.shows("second.png")]),
    ]
    private static let removal: Play = (
        "signet-server devices remove --user jeff --name \"Jeff's phone\" -m 'lost on a train'",
        [.shows("Removed the phone with 1 key.")]
    )
    private static let records: [Play] = [
        ("signet-server client list", [.shows("shop")]),
        (
            "signet-server audit list --client shop --kind ADMIN_CLIENT_CHANGED",
            [.shows("Old name"), .shows("New name")]
        ),
        ("signet-server audit list --user jeff --kind SIGNED_IN --since 7d", [.shows("signed in")]),
        ("signet-server audit verify", [.shows("unchanged")]),
        ("signet-server backup monday.backup", [.shows("monday.backup holds")]),
        ("signet-server users export jeff --out jeff.json", [.shows("jeff.json")]),
    ]

    @Test("Each of the twenty questions of a first week is answered by the one command beside it")
    func questions() async throws {
        let document = try DocumentedCommands("docs/operate/questions.md")
        let all = [Self.health] + Self.people + [Self.lock, Self.unlock] + Self.phones + [Self.removal] + Self.records
        #expect(document.commands.count == 20)
        expectCovered(document, played: all.map(\.0), left: [:])
        let folder = try await helpDesk("openid: { enabled: true }\n")
        try Data("username,email\nmia,mia@example.com\nleo,leo@example.com\n".utf8).write(to: folder.url("people.csv"))
        // A development server has a warning: 1 says so.
        #expect(try await folder.run(Self.health.0, Self.health.1) == 1)
        try await play(Self.people, in: folder)
        #expect(try await signIn("phone", in: folder) == 0)
        try await play([Self.lock], in: folder)
        #expect(try await signIn("phone", in: folder) != 0)
        try await play([Self.unlock], in: folder)
        #expect(try await signIn("phone", in: folder) == 0)
        try await play(Self.phones + [Self.removal], in: folder)
        #expect(try await signIn("phone", in: folder) != 0)
        try await play(
            [
                (
                    "signet-server client add -m 'a new site' --name 'Old name' --redirect http://localhost:8080/callback "
                        + "--secret-file secret shop", []
                ),
                ("signet-server client set -m 'a new name' --name 'New name' shop", []),
            ], in: folder)
        try await play(Self.records, in: folder)
        try folder.closeAll()
    }
}

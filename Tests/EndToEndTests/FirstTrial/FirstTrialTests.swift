import Foundation
import StrictJSON
import Testing

/// What the documents tell a reader to type is typed here, in terminals, in an empty folder, against real programs.
///
/// Each command of `README.md`, `docs/operate/operations.md`, `docs/start/phone.md` and `docs/operate/recovery.md` stands in
/// the table of its test: with what it must show and what it asks, or with the reason why it is not run. A command that stands
/// nowhere fails the test.
@Suite("First trial: the commands of the documents", .serialized, .enabled(if: TerminalSession.isPossible))
struct FirstTrialTests {
    static let pin = "492716"
    static let newPIN: [TrialFolder.Step] = [.asks("New PIN: ", pin), .asks("The same again: ", pin)]
    static let serve = "signet-server serve --data-directory trial"
    static let welcome: [(String, [TrialFolder.Step])] = [
        (
            "signet-server users add anna --invite --out invitation.png -m 'first trial' --data-directory trial",
            [
                .shows("Added anna"), .shows("invitation.png"),
                .shows("signet device scan --device phone invitation.png"),
            ]
        ),
        (
            "signet device init --device phone --server https://127.0.0.1:8443 --ca trial/tls/ca.pem --keys software",
            [.shows("A phone is in phone.")]
        ),
        ("signet device scan --device phone invitation.png", newPIN + [.shows("anna is registered on this phone.")]),
        (
            "signet device authenticate --device phone --user anna",
            [.asks("PIN: ", pin), .shows("anna is signed in")]
        ),
    ]

    private static let interactive: (String, [TrialFolder.Step]) = (
        "signet device interactive --device phone", [.asks("> ", "quit"), .shows("The phone is off.")]
    )

    private static let browser = [
        "signet phone --folder anna-phone --vault software --server https://login.example.com --ca ca.pem":
            "script/pages drives the page"
    ]

    private static let arrival: [(String, [TrialFolder.Step])] = [
        (
            "signet-server users add ben --invite --out code.png -m 'second trial' --config push.yml",
            [.shows("code.png")]
        ),
        (
            "signet device init --device ben --server https://127.0.0.1:8443 --ca push-trial/tls/ca.pem "
                + "--keys software --push-sink https://127.0.0.1:9443 --push-ca push-sink/tls/ca.pem",
            [.shows("A phone is in ben.")]
        ),
        ("signet device scan --device ben code.png", newPIN + [.shows("ben is registered on this phone.")]),
    ]

    /// Every command of a document is either played or left out for a reason, and nothing else is.
    func expectCovered(_ document: DocumentedCommands, played: [String], left: [String: String]) {
        #expect(document.strays.isEmpty, "commands outside a block with the language sh")
        #expect(Set(document.commands) == Set(played).union(left.keys))
        #expect(left.values.allSatisfy { !$0.isEmpty })
    }

    /// Types commands that succeed.
    func play(_ plays: [(String, [TrialFolder.Step])], in folder: TrialFolder) async throws {
        for (command, steps) in plays {
            let code = try await folder.run(command, steps)
            #expect(code == 0, "\(command)")
        }
    }

    @Test("O-H2: what README.md says to type leads to a signed-in phone", .timeLimit(.minutes(10)))
    func readme() async throws {
        let document = try DocumentedCommands("README.md")
        let more: [(String, [TrialFolder.Step])] = [
            ("signet-server config check --data-directory trial", [.shows("profile: development")]),
            (
                "signet-server users add ben -m 'second trial' --data-directory trial",
                [.shows("Added ben"), .shows("dispatch register --user ben -m WHY --data-directory trial")]
            ),
            (
                "signet-server dispatch register --user ben -m 'second trial' --data-directory trial",
                [.shows("█"), .shows("signet://open?dispatchTokenResponse="), .shows("--data-directory trial -- ")]
            ),
            (
                "signet-server backup trial-backup --data-directory trial",
                [.shows("trial-backup holds"), .shows("SHA-256"), .shows("master.key is not in it")]
            ),
        ]
        expectCovered(
            document, played: [Self.serve] + (Self.welcome + more).map(\.0),
            left: [
                "script/demo": "StoryTests plays it", "script/test": "it would run this suite",
                "script/release /usr/local": "script/check-deep builds a release",
                "printf 'data-directory: data\\nopenid: { enabled: true }\\n' > server.yml":
                    "script/pages documents types it",
                "signet-server serve --config server.yml": "script/pages documents types it",
                "signet-server client add --config server.yml -m 'first trial' --name 'My site' "
                    + "--redirect http://localhost:8080/callback --secret-file secret site":
                    "script/pages documents types it",
            ])
        let folder = try TrialFolder()
        try await folder.open(
            Self.serve,
            [
                .shows("Signet answers at https://127.0.0.1:8443"), .shows("trial/tls/ca.pem"),
                .shows("users add anna --invite -m 'first trial' --data-directory trial"),
            ])
        try await play(Self.welcome + more, in: folder)
        #expect(try folder.close(Self.serve) == 0)
    }

    @Test(
        "O-H2: what docs/start/phone.md says to type registers phones, by a code and by push", .timeLimit(.minutes(10)))
    func phone() async throws {
        let document = try DocumentedCommands("docs/start/phone.md")
        let sink = "signet-push-sink --data-directory push-sink"
        let push = "signet-server serve --config push.yml"
        let list = "signet-server devices list --config push.yml"
        let dispatch = "signet-server dispatch authenticate --target ID -m 'a push' --config push.yml"
        let listen = "signet device listen --device ben --out message.json"
        let approve = "signet device approve --device ben message.json"
        expectCovered(
            document,
            played: [Self.serve, sink, push, Self.interactive.0, list, dispatch, listen, approve]
                + (Self.welcome + Self.arrival).map(\.0),
            left: Self.browser)
        let folder = try TrialFolder()
        try await folder.open(Self.serve, [.shows("Signet answers at")])
        try await play(Self.welcome + [Self.interactive], in: folder)
        #expect(try folder.close(Self.serve) == 0)
        for (name, text) in document.files { try folder.save(text, as: name) }
        try await folder.open(sink, [.shows("ready")])
        try await folder.open(push, [.shows("Signet answers at")])
        try await play(Self.arrival, in: folder)
        let targets = try await folder.start(list, [])
        try await targets.expect("\n")
        let line = try await targets.expect("\n")
        folder.replacements["ID"] = line.split(whereSeparator: \.isWhitespace).first.map(String.init)
        #expect(targets.ending() == 0)
        let asked = try await folder.start(dispatch, [.shows("Type on the phone:")])
        let digits = try await asked.expect("\n").filter(\.isNumber)
        #expect(asked.ending() == 0 && digits.count == 2)
        try await play(
            [
                (listen, [.shows("The message is in message.json.")]),
                (
                    approve,
                    [
                        .asks("do you want it? [y/N, r: it was not me, tell the server] ", "y"),
                        .asks("digits on the other screen", digits), .asks("PIN: ", Self.pin), .shows("Confirmed"),
                    ]
                ),
            ], in: folder)
        try folder.closeAll()
    }
}

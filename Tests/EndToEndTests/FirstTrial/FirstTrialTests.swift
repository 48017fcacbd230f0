import Foundation
import SignetCommands
import StrictJSON
import Testing

/// What the documents tell a reader to type is typed here, in terminals, in an empty folder, against real programs.
///
/// Each command of `README.md`, `docs/operations.md` and `docs/phone.md` stands in the table of its test: with what it
/// must show and what it asks, or with the reason why it is not run. A command that stands nowhere fails the test.
@Suite("First trial: the commands of the documents", .serialized, .enabled(if: TerminalSession.isPossible))
struct FirstTrialTests {
    private static let pin = "492716"
    private static let newPIN: [TrialFolder.Step] = [.asks("New PIN: ", pin), .asks("The same again: ", pin)]
    private static let serve = "signet-server serve --data-directory trial"
    private static let invitation: [(String, [TrialFolder.Step])] = [
        (
            "signet-server users add anna --invite --out invitation.png --data-directory trial",
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

    private static let arrival: [(String, [TrialFolder.Step])] = [
        ("signet-server users add ben --invite --out code.png --config push.yml", [.shows("code.png")]),
        (
            "signet device init --device ben --server https://127.0.0.1:8443 --ca push-trial/tls/ca.pem "
                + "--keys software --push-sink https://127.0.0.1:9443 --push-ca push-sink/tls/ca.pem",
            [.shows("A phone is in ben.")]
        ),
        ("signet device scan --device ben code.png", newPIN + [.shows("ben is registered on this phone.")]),
    ]

    private static let desk: [(String, [TrialFolder.Step])] = [
        (
            "signet-server dispatch register --user jeff --out invitation.png",
            [.shows("invitation.png"), .shows("dispatch status")]
        ),
        ("signet-server targets unset-push 5Gx0...", []),
        ("signet-server credentials remove --user jeff --aaid F1D0#1001", []),
    ]
    private static let jeff: [(String, [TrialFolder.Step])] = [
        ("signet-server users add jeff --invite --out code.png", []),
        (
            "signet device init --device phone --server https://127.0.0.1:8443 --ca push-trial/tls/ca.pem "
                + "--keys software --push-sink https://127.0.0.1:9443 --push-ca push-sink/tls/ca.pem", []
        ),
        ("signet device scan --device phone code.png", newPIN),
    ]

    /// Every command of a document is either played or left out for a reason, and nothing else is.
    private func expectCovered(_ document: DocumentedCommands, played: [String], left: [String: String]) {
        #expect(document.strays.isEmpty, "commands outside a block with the language sh")
        #expect(Set(document.commands) == Set(played).union(left.keys))
        #expect(left.values.allSatisfy { !$0.isEmpty })
    }

    private func play(_ plays: [(String, [TrialFolder.Step])], in folder: TrialFolder) async throws {
        for (command, steps) in plays {
            let code = try await folder.run(command, steps)
            #expect(code == 0, "\(command)")
        }
    }

    @Test("O-H2: what README.md says to type leads to a signed-in phone", .timeLimit(.minutes(5)))
    func readme() async throws {
        let document = try DocumentedCommands("README.md")
        let more: [(String, [TrialFolder.Step])] = [
            ("signet-server config check --data-directory trial", [.shows("profile: development")]),
            (
                "signet-server users add ben --data-directory trial",
                [.shows("Added ben"), .shows("dispatch register --user ben --data-directory trial")]
            ),
            (
                "signet-server dispatch register --user ben --data-directory trial",
                [.shows("█"), .shows("signet://open?dispatchTokenResponse="), .shows("--data-directory trial -- ")]
            ),
            (
                "signet doctor --server https://127.0.0.1:8443 --ca trial/tls/ca.pem",
                [.shows("https://127.0.0.1:8443 answers over TLS.")]
            ),
        ]
        expectCovered(
            document, played: [Self.serve] + (Self.invitation + more).map(\.0),
            left: [
                "script/demo": "StoryTests plays it", "script/demo out-of-band": "OutOfBandStoryTests plays it",
                "script/test": "it would run this suite",
            ])
        let folder = try TrialFolder()
        try await folder.open(
            Self.serve,
            [
                .shows("Signet answers at https://127.0.0.1:8443"), .shows("trial/tls/ca.pem"),
                .shows("users add anna --invite --data-directory trial"),
            ])
        try await play(Self.invitation + more, in: folder)
        #expect(try folder.close(Self.serve) == 0)
    }

    @Test("O-H2: what docs/phone.md says to type registers phones, by a code and by push", .timeLimit(.minutes(5)))
    func phone() async throws {
        let document = try DocumentedCommands("docs/phone.md")
        let sink = "signet-server push-sink --data-directory push-sink"
        let push = "signet-server serve --config push.yml"
        let list = "signet-server targets list --config push.yml"
        let dispatch = "signet-server dispatch authenticate --target ID --config push.yml"
        let listen = "signet device listen --device ben --out message.json"
        let approve = "signet device approve --device ben message.json"
        expectCovered(
            document,
            played: [Self.serve, sink, push, Self.interactive.0, list, dispatch, listen, approve]
                + (Self.invitation + Self.arrival).map(\.0), left: [:])
        let folder = try TrialFolder()
        try await folder.open(Self.serve, [.shows("Signet answers at")])
        try await play(Self.invitation + [Self.interactive], in: folder)
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
        let asked = try await folder.start(dispatch, [.shows("To be typed on the phone:")])
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

    @Test("O-H2: what docs/operations.md says to type at the help desk does it", .timeLimit(.minutes(5)))
    func operations() async throws {
        let document = try DocumentedCommands("docs/operations.md")
        let list = "signet-server targets list --user jeff"
        let payment = "signet-server dispatch authenticate --target 5Gx0... --transaction-file payment.txt --wait 120"
        expectCovered(
            document, played: [list, payment] + Self.desk.map(\.0),
            left: [
                "apt-get install libsqlite3-0 libsecp256k1-1 libtss2-esys-3.0.2-0 libtss2-mu0 libtss2-rc0 "
                    + "libtss2-tctildr0 libpam0g libsystemd0 libqrencode4 libpng16-16 libzbar0 libcurl4 libstdc++6 "
                    + "zlib1g publicsuffix": "it changes the machine, and needs root"
            ])
        let folder = try TrialFolder()
        try await folder.open("signet-server push-sink --data-directory push-sink", [.shows("ready")])
        // Readers have their configuration where the server looks without being told; here the wrapper tells.
        let phone = try DocumentedCommands("docs/phone.md")
        for (name, text) in phone.files { try folder.save(text, as: name) }
        try folder.configure(by: "push.yml")
        try Data("Pay 10 EUR to Ben".utf8).write(to: folder.url("payment.txt"))
        try await folder.open("signet-server serve", [.shows("Signet answers at")])
        try await play(Self.jeff, in: folder)
        let targets = try await folder.start(list, [.shows("\n")])
        let line = try await targets.expect("\n")
        let id = line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        folder.replacements["5Gx0..."] = id
        let asked = try await folder.start(payment, [.shows("To be typed on the phone:")])
        let digits = try await asked.expect("\n").filter(\.isNumber)
        try await play(
            [
                (
                    "signet device approve --device phone",
                    [
                        .shows("Pay 10 EUR to Ben"), .asks("tell the server] ", "y"),
                        .asks("digits on the other screen", digits), .asks("PIN: ", Self.pin), .shows("Confirmed"),
                    ]
                )
            ], in: folder)
        try await asked.expect("succeeded")
        #expect(asked.ending() == 0)
        // As the document says of ids that begin with a hyphen.
        folder.replacements["5Gx0..."] = id.hasPrefix("-") ? "-- " + id : id
        try await play(Self.desk, in: folder)
        try folder.closeAll()
    }
}

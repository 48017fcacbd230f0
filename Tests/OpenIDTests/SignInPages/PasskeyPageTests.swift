import BackendAPI
import Octets
import OpenID
import ServerCore
import TestSupport
import Testing
import UAF

@testable import SignInPages

@Suite("Passkeys on the pages: offered to scripts only, refused in words, changed by the service")
struct PasskeyPageTests {
    private let passkeys = ScriptedPasskeys()

    @Test("The sign-in page has a hidden form with a field for the browser's offer, and may ask for a passkey")
    func offered() async throws {
        let page = try await signIn()
        for part in [
            #"id="passkey" class="advice" action="/sign-in/"#, #" hidden data-unused=""#,
            #"autocomplete="username webauthn""#, #"name="action" value="passkey""#, "Sign in with a passkey",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        #expect(page.permissionsPolicy.contains("publickey-credentials-get=(self)"))
        #expect(page.permissionsPolicy.hasSuffix("publickey-credentials-create=()"))
        #expect(page.text.contains(#"<noscript><meta http-equiv="refresh""#), "and works without a script as before")
    }

    @Test("A text, a demand for a phone, a confirmed sign-in and a server without passkeys have no such form")
    func notOffered() async throws {
        let stage = try PageStage()
        let confirmation = OpenID.Confirmation(
            id: CeremonyID(from: stage.random), user: stage.user, authenticatedAt: stage.clock.now(),
            evidence: RequestAuthorization.Evidence(authenticatedAt: stage.clock.now()), assurance: .key, text: nil)
        let pages = [
            try await signIn { $0.text = "Pay 10.00" }, try await signIn { $0.assurance = [.chip, .key] },
            try await signIn(state: .confirmed(confirmation)),
            try await stage.pages.signInPage(
                try stage.signIn(), begun: nil, state: .waiting, reader: stage.reader()),
        ]
        for page in pages {
            #expect(!page.text.contains("passkey") && page.permissionsPolicy.contains("publickey-credentials-get=()"))
        }
        #expect(try await signIn { $0.assurance = [.chip, .syncedPasskey] }.text.contains("passkey"))
    }

    @Test("A refusal is told in the language of the reader", arguments: PasskeySignInRefusal.allCases)
    func refused(refusal: PasskeySignInRefusal) async throws {
        let stage = try stage()
        for language in PageLanguage.allCases {
            let page = try await stage.pages.signInPage(
                try stage.signIn(), begun: nil, state: .waiting, refusal: refusal,
                reader: stage.reader(language: language))
            let words = try #require(PageTexts.table(language)[refusal.text])
            #expect(page.text.contains("<p class=\"state bad\" role=\"alert\">\(words)</p>"))
        }
        #expect(try await !signIn().text.contains("role=\"alert\""))
    }

    @Test("The page of the devices lists passkeys with name, kind, date and last use; names are text")
    func listed() async throws {
        let stage = try stage()
        _ = try stage.addDevice()
        let owned = [
            try Self.passkey(of: stage, "<b>Key</b>", isSynced: false, usedAt: stage.clock.now() + .seconds(86_400)),
            try Self.passkey(of: stage, "Cloud", isSynced: true, usedAt: nil),
        ]
        passkeys.become { $0.passkeys = owned }
        let page = try await stage.pages.devicesPage(of: stage.user, reader: stage.reader())
        let day = (stage.clock.now() + .seconds(86_400)).day
        for part in [
            "&lt;b&gt;Key&lt;/b&gt;", "stays on its device", "may be on several devices", "not used yet", day,
            #"name="passkey" value="\#(owned[0].id.text)""#, "This is your last phone",
            #"name="action" value="add-passkey""#,
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        #expect(!page.text.contains("<b>Key") && page.text.ranges(of: "last used on").count == 1)
        #expect(page.permissionsPolicy.hasSuffix("publickey-credentials-get=(), publickey-credentials-create=(self)"))
        let without = try await PageStage().pages.devicesPage(of: stage.user, reader: stage.reader())
        #expect(!without.text.contains("passkey") && !without.text.contains("<script"))
    }

    @Test("A passkey is added under a name, after a fresh sign-in, and never under a name that cannot be used")
    func added() async throws {
        let answer = Sensitive(Array("{}".utf8))
        #expect(try await change(.add(nil, name: "Laptop")).status == 403)
        #expect(try await change(.add(answer, name: "  ")).status == 400)
        #expect(try await change(.add(answer, name: String(repeating: "a", count: 65))).status == 400)
        #expect(passkeys.calls == [])
        let page = try await change(.add(answer, name: "Laptop"))
        #expect(page.status == 200 && page.text.contains("The passkey is added."))
        #expect(passkeys.calls == ["register Laptop"])
    }

    @Test("A passkey is renamed and removed by the service")
    func changed() async throws {
        let id = RegistrationID(from: SeededRandom())
        #expect(try await change(.rename(id, "a\u{0}b")).status == 400)
        #expect(try await change(.rename(id, "Key")).text.contains("has its new name"))
        #expect(try await change(.remove(id)).text.contains("The passkey is removed."))
        #expect(passkeys.calls == ["rename Key", "remove \(id.text)"])
    }

    @Test(
        "What the service refuses has its status and its words",
        arguments: [
            (PasskeyChange.unknown, 404, "no such passkey"), (.confirmFirst, 403, ""),
            (.unusable, 400, "cannot be taken"), (.tooMany, 400, "as many passkeys"),
        ])
    func refusedChange(outcome: PasskeyChange, status: Int, words: String) async throws {
        passkeys.become { $0.change = outcome }
        for change in [
            PagePasskeyChange.add(Sensitive([1]), name: "Key"), .rename(RegistrationID(from: SeededRandom()), "Key"),
            .remove(RegistrationID(from: SeededRandom())),
        ] {
            let page = try await self.change(change)
            #expect(page.status == status && (words.isEmpty || page.text.contains(words)))
        }
    }

    // MARK: - Steps

    private func stage() throws -> PageStage {
        var stage = try PageStage()
        stage.pages.passkeys = passkeys
        return stage
    }

    private func signIn(
        state: ConfirmationState = .waiting, _ change: (inout AuthorizationParameters) -> Void = { _ in }
    ) async throws -> PageAnswer {
        let stage = try stage()
        return try await stage.pages.signInPage(
            try stage.signIn(change), begun: nil, state: state, reader: stage.reader())
    }

    private func change(_ change: PagePasskeyChange) async throws -> PageAnswer {
        let stage = try stage()
        return try await stage.pages.changeDevices(
            .passkey(change), of: stage.session(by: []), client: ClientContext(), reader: stage.reader())
    }

    private static func passkey(
        of stage: PageStage, _ name: String, isSynced: Bool, usedAt: Timestamp?
    ) throws -> Passkey {
        var passkey = try Passkey(
            of: stage.user.id, named: try #require(DeviceName(name)), at: stage.clock.now(), random: stage.random,
            isSynced: isSynced)
        passkey.usedAt = usedAt
        return passkey
    }
}

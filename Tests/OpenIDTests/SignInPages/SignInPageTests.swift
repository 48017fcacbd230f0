import BackendAPI
import Octets
import OpenID
import ServerCore
import SignInPages
import TestSupport
import Testing

@Suite("Sign-in page: says where, shows what waits, and shows hostile names as text")
struct SignInPageTests {
    @Test("The page names the client, its origin and the server, and has the code and a refresh without a script")
    func code() async throws {
        let stage = try PageStage()
        let page = try await page(stage, try stage.signIn(), link: "signet://open?x=1")
        for part in [
            "Shop", "https://shop.example.com", "https://login.example.com", "round=3", "signet://open?x=1",
            #"<noscript><meta http-equiv="refresh" content="5"></noscript>"#, #"lang="en""#, #"?view=push""#,
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        #expect(page.contentSecurityPolicy.contains("form-action 'self' https://shop.example.com;"))
        // A value that is not there leaves nothing behind.
        let values = page.text.replacing("spellcheck=\"false\"", with: "")
        #expect(!values.contains("\"false\"") && !values.contains(">false<"))
        #expect(!page.text.contains("style=") && !page.text.contains("onclick") && page.html.count <= 65_536)
    }

    @Test("A page that refreshes has no field, and the one that asks for the user name has no refresh and no script")
    func typedName() async throws {
        let stage = try PageStage()
        let entry = try stage.signIn { $0.loginHint = "ada" }
        let waiting = try await page(stage, entry, link: "signet://open?x=1")
        #expect(waiting.text.contains("http-equiv=\"refresh\"") && !waiting.text.contains(#"type="text""#))
        let asking = stage.pages.usernamePage(entry, reader: stage.reader(language: .german))
        #expect(asking.status == 200 && !asking.text.contains("http-equiv") && !asking.text.contains("<script"))
        let path = "/sign-in/\(entry.session.id.text)?lang=de"
        for part in [
            #"value="push""#, #"name="username" value="ada""#, "action=\"\(path)\"", "href=\"\(path)\"", "Shop",
            #"<a href="?lang=fr&amp;view=push""#, "https://shop.example.com",
        ] {
            #expect(asking.text.contains(part), "\(part)")
        }
        let token = try #require(FormToken(cookie: Sensitive("browser-cookie"), session: entry.session.id.text))
        #expect(asking.text.contains("value=\"\(token.text)\""))
        let unhinted = stage.pages.usernamePage(try stage.signIn(), reader: stage.reader())
        #expect(unhinted.text.contains(#"name="username" value="""#))
    }

    @Test("Forms keep the language that was chosen, and name none where none was")
    func chosenLanguage() async throws {
        let stage = try PageStage()
        let entry = try stage.signIn()
        let path = "action=\"/sign-in/\(entry.session.id.text)"
        for (language, end) in [(PageLanguage.german, "?lang=de\""), (nil, "\"")] {
            let page = try await stage.pages.signInPage(
                entry, begun: nil, state: .waiting, reader: stage.reader(language: language))
            #expect(page.text.contains(path + end))
        }
    }

    @Test("Digits of a push are shown large, and read out one by one")
    func digits() async throws {
        let stage = try PageStage()
        let begun = BegunConfirmation(
            id: CeremonyID(from: stage.random), link: nil, digits: ShownChannelLinking(mode: .typed, digits: "42"),
            expiresAt: stage.clock.now() + .seconds(60))
        let page = try await stage.pages.signInPage(
            try stage.signIn(), begun: begun, state: .waiting, reader: stage.reader())
        #expect(page.text.contains(">42</p>") && page.text.contains(#"aria-label="4 2""#))
    }

    @Test("A payment is shown exactly as it is signed, line breaks included, and is accepted on the phone only")
    func payment() async throws {
        let stage = try PageStage()
        let entry = try stage.signIn { $0.text = "Pay 10.00\nto <b>Bob</b> & \"sons\"" }
        let page = try await page(stage, entry, link: "signet://open?x=1")
        #expect(page.text.contains("Pay 10.00\nto &lt;b&gt;Bob&lt;/b&gt; &amp; &quot;sons&quot;</pre>"))
        #expect(!page.text.contains(#"value="finish""#))
    }

    @Test(
        "Hostile names are text: markup, quotation marks with combining marks, templates, directions, 64 KiB",
        arguments: [
            "<script>alert(1)</script>", "\"\u{0308} onfocus=alert(1) autofocus ", "'\u{0301}><img src=x>",
            "{{{t.signIn}}} {{> page}} {{formToken}}", "\u{202E}moc.elpmaxe", "<\u{0338}script>", "&\u{0301}lt;",
        ])
    func hostile(name: String) async throws {
        for (hostile, harmless) in zip(try await Self.named(name), try await Self.named("Shop")) {
            #expect(Self.tags(hostile) == Self.tags(harmless))
            #expect(Self.quotes(hostile) == Self.quotes(harmless))
            #expect(!hostile.text.contains("<bdi>\u{202E}") && hostile.html.count <= 65_536)
        }
    }

    @Test("A name of 64 KiB is cut")
    func endless() async throws {
        let stage = try PageStage()
        let page = try await page(
            stage, try stage.signIn(at: String(repeating: "a", count: 65_536)), link: "signet://open?x=1")
        #expect(page.html.count <= 65_536)
    }

    @Test("The button that goes on is there once it is confirmed, and not before")
    func finish() async throws {
        let stage = try PageStage()
        let waiting = try await page(stage, try stage.signIn(), link: "signet://open?x=1")
        #expect(!waiting.text.contains(#"value="finish""#))
        let confirmation = OpenID.Confirmation(
            id: CeremonyID(from: stage.random), user: stage.user, authenticatedAt: stage.clock.now(),
            evidence: RequestAuthorization.Evidence(authenticatedAt: stage.clock.now()), assurance: .key, text: nil)
        let confirmed = try await stage.pages.signInPage(
            try stage.signIn(), begun: nil, state: .confirmed(confirmation), reader: stage.reader())
        #expect(confirmed.text.contains(#"value="finish""#) && !confirmed.text.contains("http-equiv"))
    }

    @Test("What was declined, reported or late says so and offers a new code")
    func ended() async throws {
        let stage = try PageStage()
        for state in [ConfirmationState.denied(isReported: false), .denied(isReported: true), .expired, .unknown] {
            let page = try await stage.pages.signInPage(
                try stage.signIn(), begun: nil, state: state, reader: stage.reader())
            #expect(page.text.contains(#"id="again""#) && !page.text.contains("/sign-in-code/"))
        }
    }

    private func page(_ stage: PageStage, _ entry: OpenSignIn, link: String) async throws -> PageAnswer {
        let begun = BegunConfirmation(
            id: CeremonyID(from: stage.random), link: LinkForPhone(text: link, picture: [1]), digits: nil,
            expiresAt: stage.clock.now() + .seconds(45))
        return try await stage.pages.signInPage(entry, begun: begun, state: .waiting, reader: stage.reader())
    }

    /// Both pages of a sign-in whose service, client, hint and text begin with a name.
    private static func named(_ name: String) async throws -> [PageAnswer] {
        let stage = try PageStage { $0.serviceName = name }
        let entry = try stage.signIn(at: name) { parameters in
            parameters.loginHint = name
            parameters.text = name + String(repeating: "x", count: 4_000)
        }
        return [
            try await stage.pages.signInPage(entry, begun: nil, state: .waiting, reader: stage.reader()),
            stage.pages.usernamePage(entry, reader: stage.reader()),
        ]
    }

    /// Number of angle brackets that open, each of a tag of a template.
    private static func tags(_ page: PageAnswer) -> Int { page.html.count { $0 == UInt8(ascii: "<") } }

    /// Number of quotation marks, each of an attribute of a template.
    private static func quotes(_ page: PageAnswer) -> Int { page.html.count { $0 == UInt8(ascii: "\"") } }
}

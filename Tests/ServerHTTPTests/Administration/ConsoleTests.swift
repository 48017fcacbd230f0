import BackendAPI
import Foundation
import NIOHTTP1
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

@Suite("SRV-25: Console: what each role sees and does, and what hostile forms get")
struct ConsoleTests {
    private static let hostile = ["reason": "ticket 4711", "action": "lock"]

    @Test("Without a sign-in no page is shown: the browser signs in, and comes back to the person")
    func signedOut() async throws {
        let stage = try await ConsoleFixture()
        let person = try await stage.path(of: "anna")
        try await stage.browse { browser in
            for path in ["/console", "/console/findings", "/console/audit", person] {
                let answer = try await browser.get(path, as: nil)
                #expect(answer.status == 303 && answer.body.isEmpty, "\(path)")
                #expect(answer.location.hasPrefix("https://server.example/oauth2/authorize?"))
                #expect(answer.location.contains("client_id=console"))
                #expect(answer.location.contains("redirect_uri=https%3A%2F%2Fserver.example%3A9443%2Fconsole"))
            }
            let state = try #require(
                try await browser.get(person, as: nil).location.firstMatch(of: /state=([^&]+)/)?.1)
            #expect(try await browser.get("/console?code=c&state=\(state)").location == person)
            #expect(try await browser.get("/console?code=c&state=https://a.example").location == "/console")
            for query in ["error=access_denied", "code=c"] {
                #expect(try await browser.get("/console?\(query)", as: nil).status == 403, "it does not begin again")
            }
            let fresh = try await browser.get("/console/sign-in/\(person.split(separator: "/").last ?? "")")
            #expect(fresh.status == 303 && fresh.location.hasSuffix("&prompt=login"))
        }
    }

    @Test("Pages stand in no frame and no cache, set no cookie, and have one address")
    func fields() async throws {
        let stage = try await ConsoleFixture()
        let person = try await stage.path(of: "anna")
        try await stage.browse { browser in
            for path in ["/console", "/console?search=an", "/console/findings", person] {
                let answer = try await browser.get(path)
                #expect(answer.status == 200, "\(path)")
                let policy = answer.headers.first(name: "Content-Security-Policy") ?? ""
                #expect(policy.hasPrefix("default-src 'none'") && policy.hasSuffix("frame-ancestors 'none'"))
                #expect(!policy.contains("data:") && answer.headers.first(name: "Cache-Control") == "no-store")
                #expect(answer.headers.first(name: "X-Frame-Options") == "DENY")
                #expect(answer.headers["Set-Cookie"].isEmpty)
                #expect(try await browser.get(path, at: "other.example:9443").status == 421, "\(path)")
            }
            #expect(try await browser.get("/assets/signet.css", as: nil).status == 200)
        }
    }

    @Test("A logo is served as a picture in which no script runs, and the style ends with the colours of the operator")
    func look() async throws {
        var theme = PageTheme()
        theme.logo = PageTheme.Logo(Array("<svg onload='alert(1)'/>".utf8))
        theme.colours = [.light: [.mark: try #require(PageColour("#5b0f6b"))]]
        let style = theme.style
        let (chosen, plain) = (try await ConsoleFixture(theme: theme), try await ConsoleFixture())
        try await chosen.browse { browser in
            let logo = try await browser.get("/assets/logo", as: nil)
            #expect(logo.status == 200 && logo.headers.first(name: "Content-Type") == "image/svg+xml")
            #expect(logo.headers.first(name: "Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
            #expect(try await browser.get("/console").text.contains("<img src=\"/assets/logo\" alt=\"\">"))
            #expect(try await browser.get("/assets/signet.css", as: nil).text.hasSuffix(style))
        }
        try await plain.browse { browser in
            let logo = try await browser.get("/assets/logo", as: nil)
            #expect(logo.status == 404)
            #expect(try await browser.get("/console").text.contains("<svg viewBox"))
        }
    }

    @Test("Texts of people and of the server are shown as texts")
    func texts() async throws {
        let stage = try await ConsoleFixture()
        try await stage.site.server.services.users.add(name: "<b>bold</b>")
        _ = try await stage.addPhone(of: "anna", "<i>phone</i>")
        let person = try await stage.path(of: "anna")
        try await stage.browse { browser in
            for path in ["/console?search=%3Cb", "/console/findings", person, "/console?search=%22%3E%3Cb%3E"] {
                let text = try await browser.get(path).text
                #expect(!text.contains("<b>") && !text.contains("<i>"), "\(path)")
            }
            #expect(try await browser.get("/console/findings").text.contains("9 GiB &lt;b&gt;are&lt;/b&gt; left"))
            #expect(try await browser.get("/console?search=%3Cb").text.contains("&lt;b&gt;bold"))
        }
    }

    @Test("Versions of applications that were told are listed, the newest first, and the unwanted ones are marked")
    func versions() async throws {
        var application = ApplicationVersions(facet: try #require(FacetID("ios:bundle-id:<b>app")))
        application.minimum = ApplicationVersion("5.0")
        application.blocked = Set(["5.1"].compactMap { ApplicationVersion($0) })
        let stage = try await ConsoleFixture(applications: [application])
        try await stage.browse { browser in
            let text = try await browser.get("/console/findings").text
            #expect(!text.contains("Versions of applications"))
        }
        let use = stage.site.server.services.applicationUse
        for text in ["4.9", "5.2", "5.1", "5.2.0"] {
            use.count(try #require(ApplicationVersion(text)), of: application.facet)
        }
        try await stage.browse { browser in
            let text = try await browser.get("/console/findings").text
            let rows = text.matches(of: /<tr><td>(.*)<\/td><\/tr>/).map { String($0.output.1) }
            let facet = "<bdi>ios:bundle-id:&lt;b&gt;app</bdi></td><td>"
            #expect(
                rows == [
                    facet + "5.2</td><td>2",
                    facet + #"5.1 <strong class="tag">blocked</strong></td><td>1"#,
                    facet + #"4.9 <strong class="tag">below the minimum</strong></td><td>1"#,
                ])
            #expect(text.contains("has accepted since \(use.since.iso8601.prefix(10)) "))
        }
    }

    @Test("A help desk locks, unlocks, invites and removes a lost phone; the audit says who and why")
    func helps() async throws {
        let stage = try await ConsoleFixture()
        let phone = try await stage.addPhone(of: "anna")
        let person = try await stage.path(of: "anna")
        try await stage.browse { browser in
            for (action, kind) in [("lock", "ADMIN_USER_LOCKED"), ("unlock", "ADMIN_USER_UNLOCKED")] {
                let version = try #require(try await browser.get(person).version(of: action))
                let answer = try await browser.post(
                    person, ["action": action, "version": version, "reason": "ticket 4711"])
                #expect(answer.status == 303 && answer.location == "\(person)?done=\(action)")
                #expect(try await stage.lastKind() == kind)
                #expect(try await browser.get(answer.location).text.contains("The account is \(action)ed"))
            }
            let version = try #require(try await browser.get(person).version(of: "remove"))
            let removed = try await browser.post(
                person, ["action": "remove", "phone": phone.text, "version": version, "reason": "lost on a train"])
            #expect(removed.status == 303)
            #expect(try await stage.phones(of: "anna").isEmpty)
            let invited = try await browser.post(person, ["action": "invite", "reason": "new phone"])
            #expect(invited.status == 200 && invited.text.contains("src=\"data:image/png;base64,"))
            #expect(
                invited.headers.first(name: "Content-Security-Policy")?.contains("img-src 'self' data:;") == true)
        }
        let hans = try await stage.site.server.services.users.user(named: "hans")
        let records = try await stage.site.server.services.audit.newest(AuditQuery(), limit: 10).entries
        let removal = try #require(
            records.last { $0.kind == "ADMIN_DEVICE_REMOVED" || $0["note"] == "lost on a train" })
        #expect(removal["note"] == "lost on a train")
        #expect(
            removal.event["actor"] == .object(["userId": .string(hans.id.text), "role": .string("help-desk")]))
    }

    @Test("A help desk removes a passkey of the person whom the page shows, and of no other one")
    func passkeys() async throws {
        let stage = try await ConsoleFixture()
        let passkey = try await stage.addPasskey(of: "anna").text
        let (person, other) = (try await stage.path(of: "anna"), try await stage.path(of: "hans"))
        try await stage.browse { browser in
            let page = try await browser.get(person)
            #expect(page.text.contains("&lt;b&gt;Laptop") && page.text.contains("stays on its device"))
            let version = try #require(page.version(of: "remove-passkey"))
            let form = ["action": "remove-passkey", "passkey": passkey, "version": version, "reason": "ticket 4711"]
            #expect(try await browser.post(other, form).status == 404)
            #expect(try await browser.get(person).text.contains("Laptop"))
            #expect(try await browser.post(person, form).location == "\(person)?done=remove-passkey")
            #expect(try await stage.lastKind() == "ADMIN_PASSKEY_REMOVED")
            #expect(try await !browser.get(person).text.contains("Laptop"))
        }
    }

    @Test("Forms without a token, of another browser, another site, and without a reason do nothing")
    func hostileForms() async throws {
        let stage = try await ConsoleFixture()
        try await stage.signIn("anna")
        let person = try await stage.path(of: "anna")
        let count = try await stage.site.server.auditKinds().count
        try await stage.browse { browser in
            var form = Self.hostile
            form["version"] = try await browser.get(person).version(of: "lock")
            let sound = form
            #expect(try await browser.post(person, sound, token: nil).status == 403)
            #expect(try await browser.post(person, sound, token: "anna").status == 403)
            #expect(try await browser.post(person, sound, origin: "https://server.example").status == 403)
            #expect(try await browser.post(person, sound, origin: "null").status == 403)
            #expect(try await browser.post(person, sound, as: "anna", token: "anna").status == 403, "without a role")
            #expect(try await browser.post("/console/sign-out", [:], token: nil).status == 403)
            for reason in ["", "ab", "two  blanks", String(repeating: "r", count: 257)] {
                let answer = try await browser.post(person, sound.merging(["reason": reason]) { $1 })
                #expect(answer.status == 400 && answer.text.contains("Say why"), "\(reason)")
            }
            for action in ["", "erase"] {
                #expect(try await browser.post(person, sound.merging(["action": action]) { $1 }).status == 400)
            }
            for id in ["AAAAAAAAAAAAAAAAAAAAAA", "%00", "..%2Faudit"] {
                let answer = try await browser.post("/console/people/\(id)", sound)
                #expect([400, 404].contains(answer.status), "\(id): \(answer.status)")
                #expect(answer.text.contains("This does not work</h1>"), "\(id): a page, no error body")
            }
        }
        #expect(try await stage.site.server.auditKinds().count == count)
    }

    @Test("Cookies, form tokens, searches, reasons and invitations stay out of the log, whose lines name the path only")
    func disclosure() async throws {
        let stage = try await ConsoleFixture()
        let person = try await stage.path(of: "anna")
        try await stage.browse { browser in
            _ = try await browser.get("/console?search=canary-search&lang=de")
            _ = try await browser.get("/console/audit?user=canary-search")
            let page = try await browser.get(person)
            let token = try #require(page.text.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1)
            let invited = try await browser.post(person, ["action": "invite", "reason": "canary-reason"])
            let link = try #require(invited.text.firstMatch(of: /aria-label="Link of the invitation">([^<]+)</)?.1)
            let lines = stage.log.lines
            #expect(!lines.isEmpty)
            for secret in ["canary-search", "canary-reason", "cookie-of-hans", String(token), String(link)] {
                #expect(!lines.contains { $0.contains(secret) }, "\(secret)")
            }
        }
    }

    @Test(
        "A phone of another person is not removed on this page, and a wrong version changes nothing: the page is the present one"
    )
    func otherObjects() async throws {
        let stage = try await ConsoleFixture()
        try await stage.site.server.services.users.add(name: "berta")
        let phone = try await stage.addPhone(of: "berta")
        _ = try await stage.addPhone(of: "anna", "Other phone")
        let (anna, berta) = (try await stage.path(of: "anna"), try await stage.path(of: "berta"))
        try await stage.browse { browser in
            let version = try #require(try await browser.get(berta).version(of: "remove"))
            let foreign = try await browser.post(
                anna, ["action": "remove", "phone": phone.text, "version": version, "reason": "ticket 4711"])
            #expect(foreign.status == 404 && foreign.text.contains("Other phone"))
            #expect(try await stage.phones(of: "berta").count == 1)
            let seen = try #require(try await browser.get(anna).version(of: "lock"))
            let lock = ["action": "lock", "version": seen, "reason": "ticket 4711"]
            #expect(try await browser.post(anna, lock).status == 303)
            let late = try await browser.post(anna, lock)
            #expect(late.status == 409 && late.text.contains("It was changed since you opened the page"))
            let present = try #require(late.version(of: "unlock"))
            #expect(present != seen && late.text.contains("ticket 4711"))
            let unlocked = try await browser.post(
                anna, ["action": "unlock", "version": present, "reason": "ticket 4711"])
            #expect(unlocked.status == 303, "the page offers the present version")
        }
    }

    @Test("A role sees what it may, and its forms", arguments: AdministrationRole.allCases)
    func roles(role: AdministrationRole) async throws {
        let stage = try await ConsoleFixture(role: role)
        let person = try await stage.path(of: "anna")
        try await stage.browse { browser in
            let (reads, changes) = ([.auditor, .operator].contains(role), [.helpDesk, .operator].contains(role))
            #expect(try await browser.get("/console/audit").status == (reads ? 200 : 403))
            let page = try await browser.get(person)
            #expect(page.text.contains("/console/audit") == reads)
            #expect((page.version(of: "lock") != nil) == changes)
            let version = page.version(of: "lock") ?? "AAAAAAAAAAAAAAAAAAAAAA"
            let answer = try await browser.post(person, Self.hostile.merging(["version": version]) { $1 })
            #expect(answer.status == (changes ? 303 : 403))
        }
    }

    @Test("People of the console are changed by operators only: no help desk gets a phone into the account of one")
    func operatorsOnly() async throws {
        let stage = try await ConsoleFixture()
        try await stage.site.server.services.users.add(name: "olga")
        let (hans, olga) = (try #require(UserName("hans")), try #require(UserName("olga")))
        stage.people.replace(with: [hans: .helpDesk, olga: .operator])
        let person = try await stage.path(of: "olga")
        try await stage.browse { browser in
            let page = try await browser.get(person)
            #expect(page.text.contains("only an operator changes them") && page.version(of: "lock") == nil)
            #expect(try await browser.post(person, ["action": "invite", "reason": "my own phone"]).status == 404)
            stage.people.replace(with: [hans: .operator, olga: .operator])
            #expect(try await browser.post(person, ["action": "invite", "reason": "new phone"]).status == 200)
        }
    }

    @Test("A sign-in of more than 15 minutes ago shows, and changes nothing until the phone has confirmed again")
    func stale() async throws {
        let stage = try await ConsoleFixture()
        try await stage.site.server.services.users.add(name: "vera")
        stage.people.replace(with: [try #require(UserName("vera")): .operator])
        try await stage.signIn("vera", ago: .seconds(901))
        let person = try await stage.path(of: "anna")
        try await stage.browse { browser in
            let page = try await browser.get(person, as: "vera")
            #expect(
                page.status == 200 && page.text.contains("Confirm with my phone") && page.version(of: "lock") == nil)
            let answer = try await browser.post(
                person, ["action": "invite", "reason": "new phone"], as: "vera", token: "vera")
            #expect(answer.status == 403 && answer.text.contains("older than 15 minutes"))
            #expect(!answer.text.contains("data:image"))
        }
    }

    @Test(
        "What was typed comes again after the new sign-in, for the same administrator and person, and does nothing itself"
    )
    func keptForm() async throws {
        let stage = try await ConsoleFixture()
        try await stage.site.server.services.users.add(name: "vera")
        let (hans, vera) = (try #require(UserName("hans")), try #require(UserName("vera")))
        stage.people.replace(with: [hans: .operator, vera: .operator])
        try await stage.signIn("vera", ago: .seconds(901))
        let phone = try await stage.addPhone(of: "anna")
        let (anna, other) = (try await stage.path(of: "anna"), try await stage.path(of: "hans"))
        let count = try await stage.site.server.auditKinds().count
        try await stage.browse { browser in
            let typed = ["action": "remove", "phone": phone.text, "reason": "lost \"on\" a <train>"]
            let stale = try await browser.post(anna, typed, as: "vera", token: "vera")
            #expect(stale.status == 403)
            let link = try #require(stale.text.firstMatch(of: /href="(\/console\/sign-in\/[^"]+)"/)?.1)
            let there = try await browser.get(String(link), as: "vera").location
            let state = try #require(there.firstMatch(of: /state=([^&]+)&prompt=login/)?.1)
            #expect(!there.contains("train") && there.utf8.count < 2_048)
            let back = try await browser.get("/console?code=c&state=\(state)", as: "vera").location
            #expect(back.hasPrefix("\(anna)?form="))
            #expect(try await browser.get(back, as: "vera").text.contains("sign-in/"), "still stale, and carried on")
            _ = try await browser.post("/console/sign-out", [:], as: "vera", token: "vera")
            try await stage.signIn("vera")
            let shown = try await browser.get(back, as: "vera")
            #expect(shown.status == 200 && shown.text.contains("Nothing was done yet."))
            #expect(shown.text.contains(#"value="lost &quot;on&quot; a &lt;train&gt;""#))
            #expect(shown.text.matches(of: /<details open><summary>/).count == 1)
            #expect(shown.text.contains("<details open><summary>Lost or replaced?"))
            for (path, name) in [
                (back, "hans"), (back.replacing(anna, with: other), "vera"), (back + "A", "vera"), (anna, "vera"),
                (String(back.dropLast()), "vera"), ("\(anna)?form=", "vera"), ("\(anna)?form=%2e", "vera"),
            ] {
                let answer = try await browser.get(path, as: name)
                #expect(answer.status == 200 && !answer.text.contains("&lt;train&gt;"), "\(path) as \(name)")
            }
            #expect(try await browser.get("/console?code=c&state=\(state.prefix(29)).%3Cb%3E").location == anna)
            stage.site.server.clock.advance(by: .seconds(900))
            #expect(try await !browser.get(back, as: "vera").text.contains("&lt;train&gt;"), "it was kept too long")
        }
        #expect(try await stage.phones(of: "anna").count == 1)
        #expect(try await stage.site.server.auditKinds().filter { $0.hasPrefix("ADMIN") }.count <= count)
    }

    @Test("Rights that are taken away end at the next request, by the configuration, a lock and a sign-out")
    func ends() async throws {
        let stage = try await ConsoleFixture()
        let hans = try #require(UserName("hans"))
        let person = try await stage.path(of: "anna")
        try await stage.browse { browser in
            stage.people.replace(with: [:])
            for path in ["/console", "/console/findings", "/console/audit", person] {
                let answer = try await browser.get(path)
                #expect(answer.status == 403 && answer.text.contains("has no role here"), "\(path)")
            }
            stage.people.replace(with: [hans: .operator])
            #expect(try await browser.get(person).status == 200)
            let out = try await browser.post("/console/sign-out", [:])
            #expect(out.status == 200 && out.headers["Set-Cookie"].first?.contains("Max-Age=0") == true)
            #expect(try await browser.get(person).status == 303)
            try await stage.signIn("hans")
            #expect(try await browser.get(person).status == 200)
            try await stage.site.server.services.users.lock(named: "hans")
            #expect(try await browser.get(person).status == 303)
        }
    }
}

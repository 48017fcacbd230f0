import CommandSupport
import DeviceCommands
import Foundation
import StrictJSON

/// Visits to the listener for administrators: the help desk at the console, in a browser, and a program of the auditors with
/// an access key.
struct AdministrationVisit {
    /// User who is the help desk.
    static let helpDesk = "hana"

    let stage: DemoStage

    private var address: String { stage.server.administrationAddress }
    private var console: String { address + "/console" }
    private var keyFile: URL { stage.file("auditor.key") }

    /// Writes the key of the auditors, and returns what the configuration says about administrators.
    func settings() throws -> String {
        try PrivateFile(path: keyFile.path()).write(UUID().uuidString + UUID().uuidString)
        return """
            administration:
              port: 0
              tls: { certificate-file: data/tls/server.pem, private-key-file: data/tls/server.key }
              people: { \(Self.helpDesk): help-desk }
            out-of-band:
              access-keys:
                - { name: auditors, key-file: "\(keyFile.path())", scopes: ["admin:auditor"] }

            """
    }

    private func browser() throws -> ShopVisit {
        let folder = stage.file("browser-\(Self.helpDesk)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return ShopVisit(shop: console, authorityFile: stage.server.authorityFile, folder: folder)
    }

    // MARK: - Console

    /// Signs the help desk in with the phone that it has.
    func signIn() async throws -> StoryTeller.Finding {
        let browser = try browser()
        let asked = try await browser.send(try await browser.send(console).location)
        let confirmed = try await browser.confirm(
            asked.location, with: stage.phone(of: Self.helpDesk), pinFile: stage.pinFile)
        let first = try await browser.follow(confirmed)
        return first.status == 200 && first.page.contains("help desk")
            ? .good("She sees the search for people.") : .bad("the console shows no help desk: HTTP \(first.status)")
    }

    /// Finds the person who has this e-mail address, and removes the only phone by the form of the page.
    func removePhone(ofPersonAt email: String, because reason: String) async throws {
        let browser = try browser()
        let found = try await browser.send(console + "?search=" + encoded(email))
        guard let person = found.quoted(after: "href=\"/console/people/") else {
            throw failure("the console finds no person", found)
        }
        let place = console + "/people/" + person
        let page = try await browser.send(place)
        guard let token = page.hiddenField("form_token"), let phone = page.hiddenField("phone", behind: "remove"),
            let version = page.hiddenField("version", behind: "remove")
        else { throw failure("the page of the person has no form for a phone", page) }
        let answer = try await browser.send(
            place,
            form: "form_token=\(token)&action=remove&phone=\(phone)&version=\(version)&reason=" + encoded(reason),
            headers: ["Origin: \(address)"])
        let after = try await browser.follow(answer)
        guard after.status == 200, after.page.contains("The phone is removed"),
            after.page.contains("There is no phone")
        else { throw failure("the page does not say that the phone is removed", after) }
    }

    // MARK: - API

    /// Records of the audit about the sign-ins of a user, by the key of the auditors.
    func signIns(of user: String) async throws -> [JSONObject] {
        let question = address + "/admin/v1/audit?user=\(encoded(user))&kind=SIGNED_IN"
        let refused = try await browser().send(question)
        guard refused.status == 401 else { throw failure("without a key the API refuses nothing", refused) }
        let key = try String(contentsOf: keyFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let answer = try await browser().send(question, headers: ["Authorization: Bearer \(key)"])
        guard answer.status == 200 else { throw failure("the API does not tell the sign-ins", answer) }
        return try JSONParser.parse(Array(answer.page.utf8)).asObject().objects("records")
    }

    private func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private func failure(_ words: String, _ answer: ShopVisit.Answer) -> CommandFailure {
        .local("AdministrationFailed", "\(words): HTTP \(answer.status)")
    }
}

import CommandSupport
import DeviceCommands
import Foundation

/// Visit of a browser to the example shop and, from there, to the pages of the server: links, forms and cookies, as
/// `curl` keeps them.
struct ShopVisit {
    private static let program = URL(filePath: "/usr/bin/curl")

    let shop: String
    let authorityFile: URL
    let folder: URL

    /// Answer to a request: status, place to go to, and page.
    struct Answer {
        let status: Int
        let location: String
        let page: String

        func field(_ name: String) -> String? {
            page.components(separatedBy: "name=\(name) value=").dropFirst().first
                .flatMap { $0.split(whereSeparator: { $0 == ">" || $0 == " " }).first.map(String.init) }
        }

        /// Value of the first hidden form field with this name on a page of the server, which quotes all values; with an
        /// `action` behind the field that names it.
        func hiddenField(_ name: String, behind action: String? = nil) -> String? {
            guard let action else { return quoted(after: "name=\"\(name)\" value=\"") }
            return page.components(separatedBy: "name=\"action\" value=\"\(action)\"").dropFirst().first
                .flatMap { Answer(status: status, location: location, page: $0).hiddenField(name) }
        }

        /// Text of the page behind these words, up to the next quotation mark.
        func quoted(after words: String) -> String? {
            page.components(separatedBy: words).dropFirst().first
                .flatMap { $0.split(separator: "\"").first.map(String.init) }
        }
    }

    /// Gets an address, or posts the `form` to it; redirects are not followed.
    func send(_ address: String, form: String? = nil, headers: [String] = []) async throws -> Answer {
        guard FileManager.default.isExecutableFile(atPath: Self.program.path()) else {
            throw CommandFailure.local("BrowserMissing", "curl is missing: install it (curl)")
        }
        let cookies = folder.appending(path: "cookies").path()
        // Addresses and forms hold codes and tokens: they go by a private file, as others may read arguments.
        let request = folder.appending(path: "request")
        var lines = ["url = \"\(address)\"", "cookie = \"\(cookies)\"", "cookie-jar = \"\(cookies)\""]
        lines += ["cacert = \"\(authorityFile.path())\"", "silent", "max-time = 30"]
        lines += ["write-out = \"\\n%{http_code} %{redirect_url}\""]
        lines += headers.map { "header = \"\($0)\"" }
        if let form { lines += ["data = \"\(form)\""] }
        try PrivateFile(path: request.path()).write(lines.joined(separator: "\n"))
        let process = try ChildProcess(
            Self.program, ["--config", request.path()], folder: folder, name: "curl-\(UUID().uuidString.prefix(8))")
        let output = await process.ending().output
        let end = output.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
        let parts = end.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let status = parts.first.flatMap({ Int($0) }), status > 0 else {
            throw CommandFailure.local("BrowserFailed", "curl has no answer")
        }
        return Answer(
            status: status, location: parts.count > 1 ? String(parts[1]) : "", page: String(output.dropLast(end.count)))
    }

    /// Confirms on a phone what the page of the server at `address` asks for; returns the answer to the form that the page's
    /// script sends then.
    func confirm(_ address: String, with phone: PhoneProcess, pinFile: URL) async throws -> Answer {
        let page = try await send(address)
        guard let link = page.quoted(after: "\"signet://open"), let token = page.hiddenField("form_token") else {
            throw CommandFailure.local("PageFailed", "the page shows no link for the phone")
        }
        let file = folder.appending(path: "link").path()
        try PrivateFile(path: file).write("signet://open" + link.replacing("&amp;", with: "&"))
        let confirmed = try await phone.run("open", [file, "--pin-file", pinFile.path()])
        guard confirmed.isDone else { throw CommandFailure.local("PhoneFailed", confirmed.message) }
        return try await send(address, form: "form_token=\(token)&action=finish")
    }

    /// Follows redirects to a page, or to an address that begins with `end`, which is not sent.
    func follow(_ answer: Answer, upTo end: String? = nil) async throws -> Answer {
        var answer = answer
        for _ in 0..<5 where !answer.location.isEmpty && !(end.map(answer.location.hasPrefix) ?? false) {
            answer = try await send(answer.location)
        }
        return answer
    }

    /// Presses a button of the shop; `fields` are form fields beside the action.
    func press(_ action: String, _ fields: String = "") async throws -> Answer {
        guard let token = try await send(shop).field("form") else {
            throw CommandFailure.local("ShopFailed", "the shop shows no form")
        }
        return try await send(shop, form: "form=\(token)&action=\(action)" + fields)
    }
}

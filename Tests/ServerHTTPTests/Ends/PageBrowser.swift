import NIOHTTP1
import OpenID
import Testing

/// Browser over a socket, on the pages of the provider: it keeps their cookies and sends their forms.
struct PageBrowser: Sendable {
    var client: SocketClient
    private(set) var cookies: [String: String] = [:]

    init(client: SocketClient) {
        self.client = client
    }

    var isSignedIn: Bool { cookies[BrowserCookies.providerName] != nil }

    /// Takes a cookie of another browser.
    mutating func take(_ name: String, of other: PageBrowser) { cookies[name] = other.cookies[name] }

    /// Sends a request without a body that no page makes.
    mutating func call(_ path: String, _ fields: [String: String]) async throws -> SocketClient.Answer {
        try await send("POST", path, fields: ["Accept": "application/json"].merging(fields) { $1 })
    }

    mutating func open(_ path: String) async throws -> SocketClient.Answer { try await send("GET", path) }

    /// Sends a form of a page to a path.
    mutating func submit(
        _ fields: [String: String], of page: SocketClient.Answer, to path: String
    ) async throws -> SocketClient.Answer {
        let token = try #require(page.text.firstMatch(of: /name="form_token" value="([\w-]+)"/)).output.1
        var fields = fields
        fields["form_token"] = String(token)
        return try await send("POST", path, FormPairs.encode(fields.map { (name: $0.key, value: $0.value) }))
    }

    private mutating func send(
        _ method: String, _ path: String, _ body: String = "", fields: [String: String] = ["Accept": "text/html"]
    ) async throws -> SocketClient.Answer {
        var headers = fields.map { (name: $0.key, value: $0.value) }
        if !cookies.isEmpty {
            let pairs = cookies.map { "\($0.key)=\($0.value)" }.sorted()
            headers.append((name: "Cookie", value: pairs.joined(separator: "; ")))
        }
        if !body.isEmpty { headers.append((name: "Content-Type", value: "application/x-www-form-urlencoded")) }
        let answer = try await client.send(method, path, headers, body: body)
        for line in answer.headers["Set-Cookie"] {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            // One without a value is forgotten.
            if let name = pair.first { cookies[String(name)] = pair.count == 2 ? String(pair[1]) : nil }
        }
        return answer
    }
}

/// Form of a page in its browser that is filled in and not sent.
struct HeldForm: Sendable {
    let browser: PageBrowser
    let page: SocketClient.Answer
    let path: String
    let fields: [String: String]

    /// Sends it from the same browser, over a new socket.
    func send(by client: SocketClient) async throws -> SocketClient.Answer {
        var browser = browser
        browser.client = client
        let answer = try await browser.submit(fields, of: page, to: path)
        try #require(answer.status < 500, "the server failed: \(answer.text)")
        return answer
    }
}

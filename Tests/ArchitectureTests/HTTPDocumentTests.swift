import Testing

/// Compares `docs/web/http-api.md` with the routes that the sources register, in both directions.
///
/// A service that is added, renamed or moved without its section is found, and so are a section without a service and a
/// registration in a form that the scanner does not know.
@Suite("docs/web/http-api.md describes every route of the server, and no other")
struct HTTPDocumentTests {
    private let page: HTTPPage
    private let declarations = EndpointDeclarations(
        Repository.sources.filter { $0.target == "BackendAPI" && $0.name.hasPrefix("Endpoint") }.map(\.text))
    /// The routes of administrators have a document of their own, docs/operate/admin-api.yaml.
    private let registrations = RouteRegistrations(
        Repository.sources.filter { $0.target == "ServerHTTP" && !$0.path.contains("/Administration/") }.map(\.code))
    private let sink = SinkRoutes(Repository.sources.filter { $0.target == "PushSink" }.map(\.text))

    init() throws {
        page = HTTPPage(try #require(Repository.text(of: "docs/web/http-api.md"), "docs/web/http-api.md is missing"))
    }

    @Test("Each method and path that the server registers stands in a section, and each section is a route")
    func services() {
        let unknown = registrations.names.filter { declarations.routes[$0] == nil }
        #expect(unknown.isEmpty, "no declaration is found for \(unknown.joined(separator: ", "))")
        #expect(registrations.unread.isEmpty, "not understood: \(registrations.unread.joined(separator: ", "))")
        expectSame(page.services, registrations.names.flatMap { declarations.routes[$0] ?? [] })
    }

    @Test("The table of endpoints has one row for each section")
    func index() {
        expectSame(page.index, page.sections.map(\.heading))
    }

    @Test("The paths of a section end with the path of its heading")
    func paths() {
        for section in page.sections {
            #expect(!section.paths.isEmpty, "\(section.heading) has no line that begins with Paths:")
            for path in section.paths {
                let fits = section.heading.spellings.contains { path.hasSuffix($0) }
                #expect(fits, "\(path) stands under \(section.heading)")
            }
        }
    }

    @Test("Each route of the push sink stands in its table, and each row is a route")
    func pushSink() {
        #expect(sink.unread.isEmpty, "not understood: \(sink.unread.joined(separator: ", "))")
        expectSame(page.sink, sink.routes)
    }

    @Test("A declaration, a registration and a section are read as they are written")
    func samples() {
        let declarations = EndpointDeclarations([
            """
            static let root = "/r"
            static let roots = [root, ""]
            static let one = Endpoint(.get, "/one", roots: roots, answers: [.json])
            static func two(_ operation: OperationKind) -> Endpoint {
                Endpoint(
                    .post, "/two/\\(operation.pathName)", roots: [root], answers: [.json])
            }
            """
        ])
        #expect(declarations.routes["one"]?.map(\.description) == ["GET /r/one", "GET /one"])
        #expect(declarations.routes["two"]?.map(\.path).first == "/r/two/registration")
        let registrations = RouteRegistrations([
            "routes.add(.one) { } for name in [Endpoint.two, .three] { routes.add(name) } routes.add(other)"
        ])
        #expect(registrations.names == ["one", "two", "three"])
        #expect(registrations.unread == ["routes.add(other"])
        let page = HTTPPage(
            """
            | GET | `/one` | open |
            ### GET /one

            Paths: `/r/one`,
            `/one`

            Not a path: `/two`
            ## Push sink
            | POST | `/sink` | open |
            """)
        #expect(page.services.map(\.description) == ["GET /r/one", "GET /one"])
        #expect(page.index.map(\.description) == ["GET /one"])
        #expect(page.sink.map(\.description) == ["POST /sink"])
    }

    private func expectSame(
        _ described: [HTTPRoute], _ registered: [HTTPRoute], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let missing = Set(registered).subtracting(described).map(\.description).sorted().joined(separator: ", ")
        let surplus = Set(described).subtracting(registered).map(\.description).sorted().joined(separator: ", ")
        #expect(!registered.isEmpty, "nothing to compare with", sourceLocation: sourceLocation)
        #expect(missing.isEmpty, "the page lacks \(missing)", sourceLocation: sourceLocation)
        #expect(surplus.isEmpty, "the page has \(surplus)", sourceLocation: sourceLocation)
        #expect(Set(described).count == described.count, "a route stands twice", sourceLocation: sourceLocation)
    }
}

/// Method and path of an HTTP service.
struct HTTPRoute: Hashable, CustomStringConvertible {
    let method: String
    let path: String

    init(_ method: some StringProtocol, _ path: some StringProtocol) {
        self.method = method.uppercased()
        self.path = String(path)
    }

    var description: String { "\(method) \(path)" }

    /// The path once for each operation where it names none.
    var spellings: [String] { Self.spellings(of: path, replacing: "{operation}") }

    static func spellings(of path: String, replacing mark: String) -> [String] {
        guard path.contains(mark) else { return [path] }
        return ["registration", "authentication", "deregistration"].map { path.replacing(mark, with: $0) }
    }
}

/// Routes that `docs/web/http-api.md` describes.
struct HTTPPage {
    /// Section of one service.
    struct Section {
        let heading: HTTPRoute
        var paths: [String] = []
    }

    private(set) var sections: [Section] = []
    /// Rows of the table of endpoints.
    private(set) var index: [HTTPRoute] = []
    /// Rows of the table of the push sink.
    private(set) var sink: [HTTPRoute] = []

    init(_ text: String) {
        var isSink = false
        var isListing = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## ") { isSink = line == "## Push sink" }
            if let heading = line.firstMatch(of: /^### ([A-Z]+) (\/\S*)$/) {
                sections.append(Section(heading: HTTPRoute(heading.1, heading.2)))
            }
            if let row = line.firstMatch(of: /^\| ([A-Z]+) \| `(\/[^`]*)` \|/) {
                if isSink { sink.append(HTTPRoute(row.1, row.2)) } else { index.append(HTTPRoute(row.1, row.2)) }
            }
            isListing = line.hasPrefix("Paths:") || (isListing && !line.isEmpty)
            guard isListing, !sections.isEmpty else { continue }
            sections[sections.count - 1].paths += line.matches(of: /`(\/[^`]*)`/).map { String($0.1) }
        }
    }

    /// Every method and whole path.
    var services: [HTTPRoute] {
        sections.flatMap { section in section.paths.map { HTTPRoute(section.heading.method, $0) } }
    }
}

/// Endpoints that `BackendAPI` declares, by their names.
struct EndpointDeclarations {
    private(set) var routes: [String: [HTTPRoute]] = [:]

    init(_ sources: [String]) {
        let text = sources.joined(separator: "\n")
        var roots = PathConstants.named(in: text).mapValues { [$0] }
        for list in text.matches(of: /static let (\w+) = \[([\w, "]*)\]/) {
            roots[String(list.1)] = Self.elements(of: list.2, roots)
        }
        let pattern = /static (?:let|func) (\w+)[^"={}]*[={]\s*Endpoint\(\s*\.(\w+), "([^"]+)", roots: (\w+|\[[^\]]*\])/
        for match in text.matches(of: pattern) {
            let paths = HTTPRoute.spellings(of: String(match.3), replacing: "\\(operation.pathName)")
            let named = Self.elements(of: match.4, roots)
            routes[String(match.1)] = named.flatMap { root in paths.map { HTTPRoute(match.2, root + $0) } }
        }
    }

    private static func elements(of list: Substring, _ roots: [String: [String]]) -> [String] {
        list.split(separator: ",").flatMap { element -> [String] in
            let name = element.filter { !" []".contains($0) }
            return name == "\"\"" ? [""] : roots[name] ?? []
        }
    }
}

/// Endpoints that `ServerHTTP` registers, by their names.
struct RouteRegistrations {
    private(set) var names: [String] = []
    /// Registrations of endpoints whose names are not found.
    private(set) var unread: [String] = []

    init(_ sources: [String]) {
        for source in sources {
            for call in source.matches(of: /routes\.add\(\s*(\.?)(\w+)/) {
                let found = call.1.isEmpty ? Self.elements(of: call.2, in: source) : [String(call.2)]
                names += found
                if found.isEmpty { unread.append(String(call.0)) }
            }
        }
    }

    /// The elements of the list that a loop takes its variable from.
    private static func elements(of variable: Substring, in source: String) -> [String] {
        source.matches(of: /for (\w+) in \[([^\]]*)\]/).filter { $0.1 == variable }.flatMap { loop in
            loop.2.matches(of: /\.(\w+)/).map { String($0.1) }
        }
    }
}

/// Routes that `PushSink` registers.
struct SinkRoutes {
    private(set) var routes: [HTTPRoute] = []
    /// Registrations whose path is not found.
    private(set) var unread: [String] = []

    init(_ sources: [String]) {
        for source in sources {
            let constants = PathConstants.named(in: source)
            for call in source.matches(of: /router\.(get|post|put|patch|delete|head|on)\(([^\n]*)/) {
                let literal = call.2.firstMatch(of: /^"([^"]+)"/).map { String($0.1) }
                let constant = call.2.firstMatch(of: /^RouterPath\(Self\.(\w+)\)/).flatMap { constants[String($0.1)] }
                if let path = literal ?? constant {
                    routes.append(HTTPRoute(call.1, path))
                } else {
                    unread.append(String(call.0))
                }
            }
        }
    }
}

/// Constants that hold a path.
enum PathConstants {
    static func named(in text: String) -> [String: String] {
        let constants = text.matches(of: /static let (\w+) = "(\/[^"]*)"/).map { (String($0.1), String($0.2)) }
        return Dictionary(constants) { first, _ in first }
    }
}

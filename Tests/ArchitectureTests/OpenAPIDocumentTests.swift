import Testing

/// Compares `docs/web/openapi.yaml` with the endpoints that the sources declare and register, in both directions.
///
/// The document is read by its lines: two blanks before a path, four before a method. Another layout is found by the first
/// test.
@Suite("docs/web/openapi.yaml describes every service, and no other")
struct OpenAPIDocumentTests {
    private let document: OpenAPIDocument
    private let declarations = EndpointDeclarations(
        Repository.sources.filter { $0.target == "BackendAPI" && $0.name.hasPrefix("Endpoint") }.map(\.text))
    private let registrations = RouteRegistrations(Repository.sources.filter { $0.target == "ServerHTTP" }.map(\.code))

    init() throws {
        document = OpenAPIDocument(
            try #require(Repository.text(of: "docs/web/openapi.yaml"), "docs/web/openapi.yaml is missing"))
    }

    @Test("The document is read as it is laid out, and no operation stands twice")
    func layout() {
        #expect(document.version == "3.1.0")
        #expect(document.routes.count > 50)
        #expect(Set(document.routes).count == document.routes.count)
        #expect(document.withoutAnswers.isEmpty, "no responses: \(document.withoutAnswers.joined(separator: ", "))")
    }

    @Test("Each declared endpoint is an operation of the document, and each operation an endpoint")
    func endpoints() {
        let declared = Set(declarations.routes.values.flatMap(\.self).map(\.description))
        let described = Set(document.routes)
        #expect(declared.subtracting(described).sorted() == [], "declared and not described")
        #expect(described.subtracting(declared).sorted() == [], "described and not declared")
    }

    @Test("Each operation of the document is registered as a route")
    func routes() {
        let registered = Set(registrations.names.flatMap { declarations.routes[$0] ?? [] }.map(\.description))
        #expect(Set(document.routes).subtracting(registered).sorted() == [], "described and not served")
    }

    @Test("Each parameter that a route reads of the query is described")
    func queries() {
        let read = Repository.sources.filter { $0.target == "ServerHTTP" }.flatMap { file in
            file.text.matches(of: /query(?:Parameters|\(of: exchange\))?\["(\w+)"\]/).map { String($0.1) }
        }
        #expect(read.contains("lang"), "the query is read in another way than this test knows")
        #expect(Set(read).subtracting(document.queryParameters).sorted() == [], "read and not described")
    }

    @Test("Each reference of the document leads to something in it")
    func references() {
        #expect(document.danglingReferences == [])
    }

    @Test("A document is read as it is written, and what is missing is found")
    func samples() {
        let sample = OpenAPIDocument(
            """
            openapi: 3.1.0
            paths:
              /one/{id}:
                get:
                  parameters:
                    - name: id
                      in: path
                    - name: lang
                      in: query
                  responses: {}
                post:
                  summary: Without responses.
            components:
              schemas:
                One:
                  $ref: '#/components/schemas/Two'
            """)
        #expect(sample.routes == ["GET /one/{id}", "POST /one/{id}"])
        #expect(sample.withoutAnswers == ["POST /one/{id}"])
        #expect(sample.queryParameters == ["lang"])
        #expect(sample.danglingReferences == ["#/components/schemas/Two"])
    }
}

/// Operations, parameters of queries and references of an OpenAPI document, by its lines.
private struct OpenAPIDocument {
    private static let methods: Set = ["get", "post", "put", "patch", "delete"]

    private(set) var version: String?
    /// Operations as `GET /path`, in their order.
    private(set) var routes: [String] = []
    /// Operations without `responses`.
    private(set) var withoutAnswers: [String] = []
    /// Names of the parameters of queries, each as `- name:` with `in: query` on the line below.
    let queryParameters: Set<String>
    /// References to what the document does not have.
    let danglingReferences: [String]

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        danglingReferences = Self.danglingReferences(in: lines)
        queryParameters = Self.queryParameters(in: lines)
        var (section, path) = ("", "")
        for line in lines {
            let indent = line.prefix { $0 == " " }.count
            let key = line.dropFirst(indent).prefix { $0 != ":" }
            if indent == 0, !line.isEmpty { section = String(key) }
            if key == "openapi", indent == 0 { version = line.split(separator: " ").last.map(String.init) }
            guard section == "paths" else { continue }
            if indent == 2, key.first == "/" {
                path = String(key)
            } else if indent == 4, Self.methods.contains(String(key)) {
                routes.append("\(key.uppercased()) \(path)")
                withoutAnswers.append("\(key.uppercased()) \(path)")
            } else if indent == 6, key == "responses" {
                _ = withoutAnswers.popLast()
            }
        }
    }

    private static func queryParameters(in lines: [Substring]) -> Set<String> {
        Set(
            zip(lines, lines.dropFirst()).compactMap { name, place -> String? in
                guard place.hasSuffix(" in: query") else { return nil }
                return name.wholeMatch(of: #/ *- name: (\w+)/#).map { String($0.1) }
            })
    }

    /// Components stand with four blanks below the name of their kind, which has two.
    private static func danglingReferences(in lines: [Substring]) -> [String] {
        var known: Set<String> = []
        var (section, kind) = ("", "")
        for line in lines {
            let indent = line.prefix { $0 == " " }.count
            let key = String(line.dropFirst(indent).prefix { $0 != ":" })
            if indent == 0, !line.isEmpty { section = key }
            guard section == "components" else { continue }
            if indent == 2 { kind = key }
            if indent == 4 { known.insert("#/components/\(kind)/\(key)") }
        }
        let references = lines.flatMap { line in line.matches(of: /#\/components\/\w+\/[\w-]+/).map { String($0.0) } }
        return Set(references).subtracting(known).sorted()
    }
}

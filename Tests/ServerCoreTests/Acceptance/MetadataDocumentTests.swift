import ServerCore
import TestSupport
import Testing
import UAF

@Suite("Metadata documents")
struct MetadataDocumentTests {
    private let first: SyntheticAuthenticator
    private let second: SyntheticAuthenticator

    init() throws {
        first = try SyntheticAuthenticator()
        second = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
    }

    private func document(_ name: String, _ text: String) -> MetadataDocument {
        MetadataDocument(name: name, content: Array(text.utf8))
    }

    private func statement(_ authenticator: SyntheticAuthenticator) -> String {
        let list = MetadataCatalog([authenticator.metadata]).document
        return String(decoding: list.dropFirst().dropLast(), as: UTF8.self)
    }

    @Test("Documents with one statement and with several are taken together")
    func together() throws {
        let third = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0E")))
        let catalog = try MetadataCatalog(documents: [
            document("a", statement(first)), document("b", "[\(statement(second)),\(statement(third))]"),
        ])
        #expect(catalog.statements.map(\.aaid) == [first.aaid, second.aaid, third.aaid])
    }

    @Test("A document that is no JSON, or only half of it, is named", arguments: ["[{", "{\"aaid\":", "", "x"])
    func notJSON(text: String) {
        let error = #expect(throws: ServerError.self) {
            try MetadataCatalog(documents: [document("a.json", statement(first)), document("b.json", text)])
        }
        guard case .invalidMetadata(name: "b.json", .malformed(.notJSON)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A statement without its model is refused with the name of the member")
    func missingMember() {
        let error = #expect(throws: ServerError.self) { try MetadataCatalog(documents: [document("a.json", "[{}]")]) }
        guard case .invalidMetadata(name: "a.json", let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.description == "0.aaid: must be given")
    }

    @Test("One odd entry is left out and named, and the others are taken; nothing readable at all is an error")
    func oddEntry() throws {
        let mixed = document("b.json", #"[{"protocolFamily":"fido2"},\#(statement(first)),{"aaid":"FFFF#FC0D"}]"#)
        #expect(try MetadataCatalog(documents: [mixed]).statements.map(\.aaid) == [first.aaid])
        #expect(
            mixed.warnings == [
                "entry 1 of b.json is left out: 0.aaid: must be given",
                "entry 3 (FFFF#FC0D) of b.json is left out: 2.description: must be given",
            ])
        #expect(document("a.json", statement(first)).warnings.isEmpty)
    }

    @Test("A model that is stated twice is refused, in one document and in two")
    func duplicate() throws {
        let twice = document("b.json", "[\(statement(first)),\(statement(first))]")
        #expect(throws: ServerError.invalidMetadata(name: "b.json", .duplicate(first.aaid))) {
            try MetadataCatalog(documents: [twice])
        }
        let once = document("a.json", statement(first))
        let again = document("c.json", statement(first))
        #expect(throws: ServerError.invalidMetadata(name: "c.json", .duplicate(first.aaid))) {
            try MetadataCatalog(documents: [once, again])
        }
    }

    @Test("Documents without statements are refused")
    func empty() {
        #expect(throws: ServerError.invalidMetadata(name: "a.json", .empty)) {
            try MetadataCatalog(documents: [document("a.json", "[]")])
        }
    }
}

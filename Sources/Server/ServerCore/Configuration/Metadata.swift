package import UAF

/// One metadata document: one statement, or an array of them, as JSON.
package struct MetadataDocument: Sendable, Hashable {
    /// Origin of the document, for messages to the operator.
    package let name: String
    /// The JSON text.
    package let content: [UInt8]

    package init(name: String, content: [UInt8]) {
        self.name = name
        self.content = content
    }

    /// Sentence for each entry that is left out because it cannot be read.
    package var warnings: [String] {
        let entries = try? MetadataEntries(document: content)
        return (entries?.leftOut ?? []).map { entry in
            let model = entry.aaid.map { " (\($0.text))" } ?? ""
            return "entry \(entry.number)\(model) of \(name) is left out: \(MetadataProblem.malformed(entry.error))"
        }
    }
}

extension MetadataCatalog {
    /// Reads documents that together state each model once.
    ///
    /// Entries of a list that cannot be read are left out (``MetadataDocument/warnings``), unless none of the list can. Throws
    /// ``ServerError/invalidMetadata(name:_:)``.
    package init(documents: [MetadataDocument]) throws(ServerError) {
        var statements: [MetadataStatement] = []
        var models: Set<AAID> = []
        for document in documents {
            let read: MetadataEntries
            do throws(MessageError) {
                read = try MetadataEntries(document: document.content)
                if read.statements.isEmpty, let first = read.leftOut.first { throw first.error }
            } catch {
                throw .invalidMetadata(name: document.name, .malformed(error))
            }
            for statement in read.statements where !models.insert(statement.aaid).inserted {
                throw .invalidMetadata(name: document.name, .duplicate(statement.aaid))
            }
            statements += read.statements
        }
        guard !statements.isEmpty else {
            throw .invalidMetadata(name: documents.map(\.name).joined(separator: ", "), .empty)
        }
        self.init(statements)
    }
}

/// Reason to refuse metadata; never holds what stands in a document beyond names of the specification and models.
@nonexhaustive
package enum MetadataProblem: Sendable, Hashable {
    case unreadable
    case malformed(MessageError)
    /// There is a statement for this model already, in the document or in an earlier one.
    case duplicate(AAID)
    case empty
}

extension MetadataProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable: "the file cannot be read"
        case .malformed(.notJSON(let offset)): "not JSON" + (offset.map { ", at byte \($0)" } ?? "")
        case .malformed(.invalidMember(let path, let fault)): "\(path.joined(separator: ".")): \(Self.words(fault))"
        case .malformed(let error): "\(error)"
        case .duplicate(let aaid): "a second statement for \(aaid.text)"
        case .empty: "there are no statements"
        }
    }

    private static func words(_ fault: MemberFault) -> String {
        switch fault {
        case .missing: "must be given"
        case .wrongType: "has the wrong type"
        case .outOfRange: "is out of range"
        case .invalidForm: "has the wrong form"
        }
    }
}

/// Scripts of pages read no property of a form that one of its inputs can hide.
///
/// An input named `action` makes `form.action` the input (HTML, 4.10.3: the named inputs of a form come before its own
/// properties), and any name can be added later. So a script asks a form only for what finds inputs and attributes by a text,
/// and calls its methods by the prototype: `HTMLFormElement.prototype.submit.call(form)`.
enum ScriptRule {
    private static let allowed: Set = ["getAttribute", "querySelector", "querySelectorAll", "addEventListener"]

    /// Violations in a script; `formIDs` are the identifiers of the forms of all templates.
    static func violations(in script: String, at path: String, formIDs: Set<String>) -> [Violation] {
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let variables = formVariables(in: lines, formIDs)
        return lines.enumerated().flatMap { number, line in
            reads(in: line, of: variables, formIDs).filter { !allowed.contains($0) }.map {
                Violation(path, number + 1, "the property \($0) of a form, which an input can hide")
            }
        }
    }

    /// Identifiers of the forms of a template.
    static func formIDs(in template: String) -> Set<String> {
        Set(
            template.matches(of: /<form\b[^>]*/).compactMap { tag in
                tag.output.firstMatch(of: /\bid="([^"]+)"/).map { String($0.1) }
            })
    }

    /// Names of variables that hold a form: those that say so, and those that are given one.
    private static func formVariables(in lines: [String], _ formIDs: Set<String>) -> Set<String> {
        Set(
            lines.flatMap { line in
                line.matches(
                    of:
                        /\b(?:const|let|var)\s+(\w+)\s*=\s*document\.(?:getElementById|querySelector)\("#?([^"]+)"\)\s*;/
                )
                .filter { formIDs.contains(String($0.2)) || $0.2.hasPrefix("form") }.map { String($0.1) }
            })
    }

    private static func reads(in line: String, of variables: Set<String>, _ formIDs: Set<String>) -> [String] {
        let named = line.matches(of: /(\w+)\??\.(\w+)/).filter {
            $0.1.lowercased().hasSuffix("form") || variables.contains(String($0.1))
        }.map { String($0.2) }
        let found = line.matches(of: /getElementById\("([^"]+)"\)\??\.(\w+)/).filter { formIDs.contains(String($0.1)) }
        return named + found.map { String($0.2) }
    }
}

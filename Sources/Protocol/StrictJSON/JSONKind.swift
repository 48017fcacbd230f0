/// The kinds of JSON values.
package enum JSONKind: String, Sendable, Hashable {
    case null, boolean, number, integer, string, array, object
}

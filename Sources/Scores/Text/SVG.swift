/// A picture as SVG, written one element after the other.
package struct SVG {
    /// What has been written, in UTF-8.
    package private(set) var text = ""

    /// The attributes of an element, in this order. A `Double` is written to hundredths, all else as it describes itself.
    package typealias Attributes = KeyValuePairs<String, any CustomStringConvertible>

    /// A picture without elements.
    package init() {}

    /// Adds an element without content, or with words.
    package mutating func add(_ name: String, _ attributes: Attributes = [:], words: String? = nil) {
        text += SVG.opened(name, attributes)
        text += words.map { ">\($0.escapedForXML)</\(name)>\n" } ?? "/>\n"
    }

    /// Adds an element with others in it.
    package mutating func add(_ name: String, _ attributes: Attributes = [:], _ content: (inout SVG) -> Void) {
        text += SVG.opened(name, attributes) + ">\n"
        content(&self)
        text += "</\(name)>\n"
    }

    private static func opened(_ name: String, _ attributes: Attributes) -> String {
        attributes.reduce("<" + name) { text, attribute in
            let value = (attribute.value as? Double)?.roundedText ?? attribute.value.description.escapedForXML
            return text + " \(attribute.key)=\"\(value)\""
        }
    }
}

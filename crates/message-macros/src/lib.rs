//! `message!("game {number} is void: {why}")` makes a `message::Message` with the syntax of `format!`.
//! `derive(Message)` makes one from an error whose texts are in the attributes of `thiserror`, `#[error("…")]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Data, DeriveInput, Expr, Fields, Ident, LitStr, Token, Variant};

struct Format {
    text: LitStr,
    given: Vec<(Option<Ident>, Expr)>,
}

impl Parse for Format {
    fn parse(input: ParseStream<'_>) -> syn::Result<Format> {
        let text = input.parse()?;
        let mut given = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let is_named = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
            let name = if is_named {
                let name = input.parse()?;
                input.parse::<Token![=]>()?;
                Some(name)
            } else {
                None
            };
            given.push((name, input.parse()?));
        }
        Ok(Format { text, given })
    }
}

impl Format {
    fn message(&self) -> syn::Result<TokenStream> {
        let text = self.text.value();
        let mut values = Vec::new();
        let mut number = 0;
        for (name, how) in places(&text) {
            let name = if name.is_empty() {
                number += 1;
                (number - 1).to_string()
            } else {
                name.to_owned()
            };
            if values.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let value = self.value(&name)?;
            let value = if how.is_empty() {
                quote!({
                    #[allow(unused_imports, unused_parens)]
                    use ::message::by::{Itself as _, Text as _};
                    (&&::message::by::Of(&(#value))).value()
                })
            } else {
                let format = format!("{{:{how}}}");
                quote!(::message::Value::text(&::std::format!(#format, #value)))
            };
            values.push((name, value));
        }
        let values = values.iter();
        let values = values.map(|(name, value)| quote!((#name.into(), #value)));
        Ok(quote!(::message::Message::new(#text, ::std::vec![#(#values),*])))
    }

    /// Returns the expression of a value: the argument with this name or number, or else the variable with this name.
    fn value(&self, name: &str) -> syn::Result<TokenStream> {
        if let Ok(number) = name.parse::<usize>() {
            let given = self.given.get(number).map(|(_, value)| quote!(#value));
            let missing = || syn::Error::new(self.text.span(), format!("no value {number}"));
            return given.ok_or_else(missing);
        }
        let given = self
            .given
            .iter()
            .find(|(known, _)| known.as_ref().is_some_and(|known| known == name));
        let variable = || {
            let variable = Ident::new(name, self.text.span());
            quote!(#variable)
        };
        Ok(given.map_or_else(variable, |(_, value)| quote!(#value)))
    }
}

/// Returns the places for values in a text: the name and the format of each. The place of a word that agrees with a
/// number, such as `{games|game|games}`, has no format.
fn places(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let sign = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(sign) {
            rest = after;
        } else if let Some((inside, after)) = rest.split_once('}') {
            let format = || inside.split_once(':').unwrap_or((inside, ""));
            found.push(
                inside
                    .split_once('|')
                    .map_or_else(format, |(name, _)| (name, "")),
            );
            rest = after;
        }
    }
    found
}

#[proc_macro]
pub fn message(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let message = syn::parse::<Format>(input).and_then(|format| format.message());
    message
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Implements `message::ToValue` and the conversion to `message::Message` for an error, from its `#[error("…")]`.
#[proc_macro_derive(Message, attributes(error))]
pub fn derive(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let made = syn::parse::<DeriveInput>(input).and_then(|input| {
        let name = &input.ident;
        let arms = match &input.data {
            Data::Enum(data) => data
                .variants
                .iter()
                .map(arm)
                .collect::<syn::Result<Vec<_>>>()?,
            Data::Struct(data) => {
                let (pattern, names) = pattern(&data.fields);
                vec![body(&input.attrs, &names).map(|body| quote!(Self #pattern => #body))?]
            }
            Data::Union(_) => return Err(syn::Error::new(name.span(), "a union is no error")),
        };
        let (generics, of, bounds) = input.generics.split_for_impl();
        let from = [quote!(#name #of), quote!(&#name #of)].map(|kind| {
            quote! {
                #[automatically_derived]
                impl #generics ::std::convert::From<#kind> for ::message::Message #bounds {
                    fn from(error: #kind) -> ::message::Message {
                        ::message::ToValue::to_message(&error)
                    }
                }
            }
        });
        Ok(quote! {
            #(#from)*
            #[automatically_derived]
            impl #generics ::message::ToValue for #name #of #bounds {
                #[allow(unused_imports, unused_parens, unused_variables, clippy::all, clippy::pedantic)]
                fn to_value(&self) -> ::message::Value {
                    ::message::Value::Message(match self { #(#arms),* })
                }
            }
        })
    });
    made.unwrap_or_else(syn::Error::into_compile_error).into()
}

fn arm(variant: &Variant) -> syn::Result<TokenStream> {
    let name = &variant.ident;
    let (pattern, names) = pattern(&variant.fields);
    let body = body(&variant.attrs, &names)?;
    Ok(quote!(Self::#name #pattern => #body))
}

/// Returns the pattern that binds all fields, and the names of the fields: `_0`, `_1`, … if they have none.
fn pattern(fields: &Fields) -> (TokenStream, Vec<Ident>) {
    let names = fields.iter().enumerate();
    let names: Vec<Ident> = names
        .map(|(number, field)| {
            field
                .ident
                .clone()
                .unwrap_or_else(|| format_ident!("_{number}"))
        })
        .collect();
    let pattern = match fields {
        Fields::Named(_) => quote!({ #(#names),* }),
        Fields::Unnamed(_) => quote!(( #(#names),* )),
        Fields::Unit => TokenStream::new(),
    };
    (pattern, names)
}

fn body(attributes: &[syn::Attribute], names: &[Ident]) -> syn::Result<TokenStream> {
    let error = attributes.iter().find(|one| one.path().is_ident("error"));
    let error =
        error.ok_or_else(|| syn::Error::new(Span::call_site(), "#[error(…)] is missing"))?;
    let tokens = error.meta.require_list()?.tokens.clone();
    if tokens.to_string() == "transparent" {
        let inner = names.first();
        return Ok(quote!(::message::ToValue::to_message(#inner)));
    }
    let mut format: Format = syn::parse2(of_fields(tokens))?;
    // Without arguments, `{0}` is the first field of the error.
    if format.given.is_empty() {
        let fields = names
            .iter()
            .filter(|name| name.to_string().starts_with('_'));
        format.given = fields
            .map(|name| (None, syn::parse_quote!(#name)))
            .collect();
    }
    format.message()
}

/// Replaces `.0` and `.name`, thiserror's notation of fields, with the names in the pattern.
fn of_fields(tokens: TokenStream) -> TokenStream {
    let mut begins = true;
    let mut made = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_dot = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '.');
        if begins && is_dot {
            match tokens.next() {
                Some(TokenTree::Literal(number)) => {
                    // `.0.1` would be lexed as the number 0.1; our errors do not use it.
                    let field = format_ident!("_{}", number.to_string());
                    made.push(TokenTree::Ident(field));
                }
                Some(other) => made.push(other),
                None => {}
            }
            begins = false;
            continue;
        }
        begins = matches!(&token, TokenTree::Punct(sign) if ",=&*(".contains(sign.as_char()));
        made.push(match token {
            TokenTree::Group(group) => {
                let inner = of_fields(group.stream());
                TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))
            }
            other => other,
        });
    }
    made.into_iter().collect()
}
